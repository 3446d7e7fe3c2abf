import CoreDataWorkbench

extension OpenStore {
    /// Reports on standard error the problems of a store that could be opened; `known` ones have been reported before.
    @discardableResult
    func reportProblems(beside known: Set<String> = []) -> Set<String> {
        let problems = problems
        for problem in problems where !known.contains(problem) {
            StandardError.write("\(Release.name): warning: \(PrintableText.escaped(problem))")
        }
        return Set(problems)
    }
}
