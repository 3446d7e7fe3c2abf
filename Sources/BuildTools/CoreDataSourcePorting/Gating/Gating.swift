import SwiftSyntax

/// Finds and marks the parts of sources that only some of Apple's systems can compile, and the parts that depend on
/// them.
enum Gating {
    /// The maximum number of passes: dependencies between declarations are followed through at most so many steps.
    private static let roundLimit = 32

    /// Finds the parts of each source.
    static func find(_ searches: inout [GateSearch], declared: Set<String>) {
        var names = GatedNames()
        var variables = VariableTypes()
        for search in searches { variables.add(search.variables) }
        for _ in 0..<roundLimit {
            for index in searches.indices { searches[index].find(names, declared: declared, variables) }
            var next = GatedNames()
            for search in searches { search.addGated(to: &next) }
            for search in searches { search.removeOthers(from: &next) }
            if next == names { return }
            names = next
        }
    }
}

extension FilePort {
    /// Puts the parts behind `#if canImport`; adjacent parts that need the same modules share one condition. The code
    /// in the parts stays unchanged.
    mutating func gate(_ search: GateSearch) {
        for (use, module) in search.untaken where reportedNames.insert(use.name).inserted {
            report(use.token, "\(use.name) is \(module)'s: what uses it belongs behind '#if canImport(\(module))'")
        }
        for part in search.parts.values { reportModels(in: part.node, part.modules) }
        var runs: [(range: Range<Int>, modules: Set<String>, count: Int)] = []
        for (range, part) in search.parts.sorted(by: { $0.key.lowerBound < $1.key.lowerBound }) {
            let whole = part.node.commentedStart..<(source.lineEnd(after: range.upperBound) ?? range.upperBound)
            if let last = runs.last, last.modules == part.modules,
                source.isBlank(last.range.upperBound..<whole.lowerBound)
            {
                runs[runs.count - 1] = (last.range.lowerBound..<whole.upperBound, last.modules, last.count + 1)
            } else {
                runs.append((whole, part.modules, 1))
            }
        }
        for run in runs {
            gated.append(run.range)
            let condition = run.modules.sorted().map { "canImport(\($0))" }.joined(separator: " && ")
            let block = inOwnLines(run.range) { ["#if \(condition)", $0, "#endif"] }
            edit(run.range, block)
        }
        guard !runs.isEmpty else { return }
        let modules = Set(runs.flatMap(\.modules)).sorted().joined(separator: ", ")
        let parts = runs.reduce(0) { $0 + $1.count }
        note(
            "\(parts) \(parts == 1 ? "part is" : "parts are") for systems with \(modules) only and behind '#if canImport' now"
        )
    }
}
