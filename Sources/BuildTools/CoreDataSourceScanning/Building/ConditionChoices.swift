import CoreDataModelCompiler

/// The combinations of compilation conditions that a build may set, such as `DEBUG`, and the module for each
/// combination.
///
/// The plugin cannot read which conditions are set. So the sources are scanned for each combination, and code
/// that differs is generated for all of them, between `#if` and `#endif`. Conditions that do not affect generated code
/// are ignored.
struct ConditionChoices {
    /// The maximum number of conditions; each doubles the number of combinations.
    private static let limit = 5

    private let flags: [String]
    private let excess: [String]
    /// The module for each combination; bit `i` of the index states whether condition `i` is set.
    let outcomes: [ManagedModule]

    init(_ candidates: Set<String>, outcome: (Set<String>) -> ManagedModule) {
        let none = outcome([])
        let all = candidates.isEmpty ? none : outcome(candidates)
        let relevant = candidates.sorted().filter { flag in
            !outcome([flag]).isAlike(none) || !outcome(candidates.subtracting([flag])).isAlike(all)
        }
        let kept = Array(relevant.prefix(Self.limit))
        flags = kept
        excess = Array(relevant.dropFirst(Self.limit))
        outcomes = (0..<(1 << kept.count)).map { number in
            let chosen = kept.indices.filter { number & (1 << $0) != 0 }.map { kept[$0] }
            return chosen.isEmpty ? none : outcome(Set(chosen))
        }
    }

    /// A finding if generated code depends on more conditions than the limit; otherwise empty.
    func findings(in module: ScannedModule) -> [ScanFinding] {
        guard let flag = excess.first, let file = module.files.first(where: { $0.flags.contains(flag) }),
            let place = file.types.first?.place
        else { return [] }
        return [
            ScanFinding(
                place: place,
                message:
                    "Managed classes depend on more than \(Self.limit) conditions: \((flags + excess).joined(separator: ", "))."
            )
        ]
    }

    /// Joins the texts for all combinations with `#if` and `#elseif`; returns the text itself if all are equal.
    func merged(_ texts: [String]) -> String {
        guard Set(texts).count > 1 else { return texts.first ?? "" }
        var merged = ""
        for (number, text) in texts.enumerated() {
            let words = flags.enumerated().map { number & (1 << $0) != 0 ? $1 : "!\($1)" }
            merged += (number == 0 ? "#if " : "#elseif ") + words.joined(separator: " && ") + "\n" + text
        }
        return merged + "#endif\n"
    }
}
