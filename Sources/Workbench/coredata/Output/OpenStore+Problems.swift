import CoreDataWorkbench

extension OpenStore {
    /// Tells on standard error what is wrong with the store though it could be opened; `known` was told before.
    @discardableResult
    func reportProblems(beside known: Set<String> = []) -> Set<String> {
        let problems = problems
        for problem in problems where !known.contains(problem) {
            StandardError.write("\(Release.name): warning: \(PrintableText.escaped(problem))")
        }
        return Set(problems)
    }
}
