/// The first form: all at once on the main thread. The page stands still until the end.
@MainActor struct BlockingCalculation {
    let roots: SquareRoots
    let label: Label

    func run() {
        for number in stride(from: 1, through: roots.count, by: 1) { label.text = roots.text(number) }
    }
}
