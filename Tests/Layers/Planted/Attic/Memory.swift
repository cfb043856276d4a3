/// May use everything, and be used by everything, until its folder has a layer.
struct Memory {
    let name: Name
    let greeting: Greeting
}
