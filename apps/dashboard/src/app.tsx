export function App() {
  return <h1>Holdfast</h1>;
}
