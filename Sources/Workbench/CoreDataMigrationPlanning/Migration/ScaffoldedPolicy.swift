import CoreData

/// The source of one migration policy: a class with a marked place for each decision.
struct ScaffoldedPolicy {
    let name: String
    private let entry: MappingScaffold.Entry
    private var placed: [(decision: ScaffoldDecision, code: [String])] = []

    var decisions: [ScaffoldDecision] { placed.map(\.decision) }

    init(_ entry: MappingScaffold.Entry, _ name: String, firstNumber: Int) {
        self.name = name
        self.entry = entry
        let findings = (entry.guess.map { [$0] } ?? []) + entry.obstacles
        var items: [ModelItem] = []
        for finding in findings where !items.contains(finding.item) { items.append(finding.item) }
        for item in items {
            let place = ScaffoldedPlace(item, entry)
            let reasons = findings.filter { $0.item == item }.map(\.reason)
            let decision = ScaffoldDecision(
                firstNumber + placed.count, item, policy: name, reasons: reasons, conversion: place.note)
            placed.append((decision, place.code))
        }
    }

    /// The lines of the class.
    var lines: [String] {
        let ends = "\(entry.old?.name ?? "") to \(entry.new?.name ?? "")"
        return ["/// \(PrintableText.escaped(ends))", "final class \(name): NSEntityMigrationPolicy {"] + methods + [
            "}"
        ]
    }

    private var methods: [String] {
        let instances = of { $0 != .relationship }.isEmpty ? [] : instanceMethod
        let relationships = of { $0 == .relationship }.isEmpty ? [] : relationshipMethod
        return instances + (instances.isEmpty || relationships.isEmpty ? [] : [""]) + relationships
    }

    private func of(_ kind: (ModelItem.Kind) -> Bool) -> [(decision: ScaffoldDecision, code: [String])] {
        placed.filter { kind($0.decision.item.kind) }
    }

    private var instanceMethod: [String] {
        let attributes = of { $0 == .attribute }
        let list = "manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])"
        let hasCode = attributes.contains { !$0.code.isEmpty }
        let body = attributes.flatMap { Self.lines(of: $0.decision, $0.code, indent: hasCode ? 12 : 8) }
        let loop =
            hasCode ? ["        let made = \(list)", "        for destination in made {"] + body + ["        }"] : body
        return [
            "    override func createDestinationInstances(",
            "        forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager",
            "    ) throws {",
        ] + of { $0 == .entity }.flatMap { Self.lines(of: $0.decision, $0.code, indent: 8) } + [
            "        try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)"
        ] + loop + ["    }"]
    }

    private var relationshipMethod: [String] {
        [
            "    override func createRelationships(",
            "        forDestination destination: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager",
            "    ) throws {",
            "        try super.createRelationships(forDestination: destination, in: mapping, manager: manager)",
        ] + of { $0 == .relationship }.flatMap { Self.lines(of: $0.decision, $0.code, indent: 8) } + ["    }"]
    }

    // MARK: Text

    private static func lines(of decision: ScaffoldDecision, _ code: [String], indent: Int) -> [String] {
        let reasons = decision.reasons.joined(separator: "; ")
        let text = "\(decision.mark)\(decision.item.path): \(reasons)."
        let space = String(repeating: " ", count: indent)
        let note = decision.conversion.map { comment($0, indent: indent) } ?? []
        return comment(text, indent: indent) + note + code.map { space + $0 }
    }

    /// Wraps a text into comment lines of at most 120 columns.
    static func comment(_ text: String, indent: Int) -> [String] {
        let start = String(repeating: " ", count: indent) + "//"
        var lines = [start]
        for word in PrintableText.escaped(text, limit: .max).split(separator: " ") {
            if lines[lines.count - 1].count + word.count + 1 > 120, lines[lines.count - 1] != start {
                lines.append(start)
            }
            lines[lines.count - 1] += " " + word
        }
        return lines
    }
}
