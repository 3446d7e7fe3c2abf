import CoreDataWorkbench

extension OpenStore {
    /// Reports on standard error the problems of an open store, without the `known` ones; returns all problems.
    @discardableResult
    package func reportProblems(beside known: Set<String> = []) -> Set<String> {
        let problems = problems
        for problem in problems where !known.contains(problem) {
            StandardError.write("\(Release.name): warning: \(PrintableText.escaped(problem))")
        }
        return Set(problems)
    }
}
