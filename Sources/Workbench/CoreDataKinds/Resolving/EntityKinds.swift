import CoreData

/// The kinds of the attributes of one entity.
package struct EntityKinds: Sendable {
    /// The uses in the order of their keys.
    package let uses: [KindUse]
    /// Why what a model or a person has named cannot be.
    package let problems: [String]
    /// Whether the store had values by which to guess.
    package let hasSamples: Bool

    /// Takes what persons have chosen, then what the model names, then the likeliest guesses.
    ///
    /// - Parameter choices: Names of kinds by key paths; `none` ends all guesses about an attribute.
    package init(_ entity: NSEntityDescription, _ samples: EntitySamples, choices: [String: String] = [:]) {
        var found: [String: KindUse] = [:]
        var closed: Set<String> = []
        var problems: [String] = []
        for attribute in samples.attributes {
            let named = KindParameters(attribute.description)
            guard let name = choices[attribute.key] ?? named.kind else { continue }
            closed.insert(attribute.key)
            guard name != KindParameters.none else { continue }
            do {
                let use = try Self.use(name, of: attribute, named, isChoice: choices[attribute.key] != nil)
                found[use.key] = use
                closed.formUnion(KindRegistry.ownKeys(of: use))
            } catch {
                problems.append((error as? InspectionError)?.description ?? "\(error)")
            }
        }
        let guesses = KindRegistry.all.flatMap { $0.guesses(in: samples) }.enumerated()
        // Of equally likely kinds the one that stands first in the registry.
        for (_, guess) in guesses.sorted(by: { ($1.element.strength, $0.offset) < ($0.element.strength, $1.offset) }) {
            let own = KindRegistry.ownKeys(of: guess.use)
            guard closed.isDisjoint(with: own) else { continue }
            closed.formUnion(own)
            found[guess.use.key] = guess.use
        }
        uses = found.values.sorted { $0.key < $1.key }
        self.problems = problems
        hasSamples = samples.hasValues
    }

    private init(_ uses: [KindUse], of kinds: EntityKinds) {
        (self.uses, problems, hasSamples) = (uses, kinds.problems, kinds.hasSamples)
    }

    /// The kinds with some of the uses.
    package func limited(to uses: [KindUse]) -> EntityKinds { EntityKinds(uses, of: self) }

    /// The names of the kinds that attributes may have by their types, by key paths.
    package func possible(of entity: NSEntityDescription) -> JSONValue {
        .object(
            KeyedAttribute.all(of: entity).map { attribute in
                let kind = AttributeKind(attribute.description)
                let names = KindRegistry.all.filter { $0.types.contains(kind) }.map { JSONValue.string($0.name) }
                return (attribute.key, .array(names))
            })
    }

    private static func use(
        _ name: String, of attribute: KeyedAttribute, _ parameters: KindParameters, isChoice: Bool
    ) throws -> KindUse {
        guard let kind = KindRegistry.kind(name) else {
            let near = NameSuggestion(for: name, in: KindRegistry.all.map(\.name)).map { "; " + $0.question }
            throw InspectionError(
                .badValue, subject: attribute.key,
                cause: "there is no kind '\(PrintableText.escaped(name, limit: 80))'\(near ?? "")",
                hint: "coredata kinds lists the kinds")
        }
        return try kind.use(of: attribute, parameters, origin: isChoice ? .choice : .model)
    }

    /// The use of an attribute, or the use of which the attribute is a further part; nil if it has no kind.
    package func use(of key: String) -> KindUse? { uses.first { KindRegistry.ownKeys(of: $0).contains(key) } }

    /// What the values of an object say, by the keys of the uses; what is nil is left out.
    package func readings(_ values: KindValues) -> [(use: KindUse, reading: KindReading)] {
        uses.compactMap { use in
            guard values[use.key] != nil, let kind = KindRegistry.kind(use.kind) else { return nil }
            return (use, kind.reading(values, use))
        }
    }
}
