import CoreData

/// A use that was guessed, and how likely it is.
package struct KindGuess: Sendable {
    /// What speaks for a kind, the least first.
    package enum Strength: Int, Comparable, Sendable {
        /// The name alone: there are no values.
        case name
        /// Many values alone.
        case values
        /// Name and values.
        case both
        /// The names of several attributes that belong together, and their values.
        case together

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    package let use: KindUse
    package let strength: Strength

    package init(_ use: KindUse, _ strength: Strength) { (self.use, self.strength) = (use, strength) }
}

/// What the names and the values of single attributes suggest.
struct GuessRule: Sendable {
    /// Words of names that suggest the kind, in lower case.
    let words: Set<String>
    /// Whether values alone suggest it, which they do where few other texts look like them.
    let needsName: Bool
    /// The number of values from which on they count without a name.
    private static let enough = 5

    init(words: Set<String>, needsName: Bool = false) { (self.words, self.needsName) = (words, needsName) }

    /// How likely an attribute has the kind; nil for not at all.
    ///
    /// - Parameter fits: Whether a value looks like one of the kind.
    func strength(of attribute: KeyedAttribute, _ samples: [Any], fits: (Any) -> Bool) -> KindGuess.Strength? {
        let isNamed = !words.isDisjoint(with: attribute.words)
        // Without values, the last word counts alone: it is what the others describe.
        guard !samples.isEmpty else { return words.contains(attribute.lastWord) ? .name : nil }
        guard isNamed || (!needsName && samples.count >= Self.enough) else { return nil }
        let fitting = samples.count(where: fits)
        // A name forgives what was typed wrongly.
        if isNamed { return fitting * 5 >= samples.count * 4 ? .both : nil }
        return fitting == samples.count ? .values : nil
    }
}

/// An attribute and the key path that leads to it from its entity.
package struct KeyedAttribute: Sendable {
    package let key: String
    package let description: NSAttributeDescription

    package init(key: String, description: NSAttributeDescription) { (self.key, self.description) = (key, description) }

    var lastWord: String { NameWords.words(of: description.name).last ?? "" }

    /// The words of the name in lower case.
    var words: Set<String> { Set(NameWords.words(of: description.name)) }

    /// The attributes of an entity that are stored, those within composite attributes after it, in the order of their names.
    static func all(of entity: NSEntityDescription) -> [KeyedAttribute] {
        entity.attributesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }.flatMap { attribute in
            let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
            return [KeyedAttribute(key: attribute.name, description: attribute)]
                + elements.sorted { $0.name < $1.name }.map {
                    KeyedAttribute(key: "\(attribute.name).\($0.name)", description: $0)
                }
        }
    }
}

/// An entity with values of its attributes.
package struct EntitySamples {
    package let attributes: [KeyedAttribute]
    private let samples: [String: [Any]]

    /// - Parameter samples: Values by key paths, without nil.
    package init(_ entity: NSEntityDescription, _ samples: [String: [Any]]) {
        attributes = KeyedAttribute.all(of: entity)
        self.samples = samples
    }

    var hasValues: Bool { !samples.isEmpty }

    package func values(of key: String) -> [Any] { samples[key] ?? [] }

    /// The guesses of a kind of single attributes by a rule.
    func guesses(
        _ kind: some ValueKind, _ rule: GuessRule, fits: (Any) -> Bool,
        _ complete: (inout KindUse, KeyedAttribute) -> Bool = { _, _ in true }
    ) -> [KindGuess] {
        attributes.filter { kind.types.contains(AttributeKind($0.description)) }.compactMap { attribute in
            guard let strength = rule.strength(of: attribute, values(of: attribute.key), fits: fits) else { return nil }
            var use = KindUse(kind: kind.name, key: attribute.key, origin: .guess)
            return complete(&use, attribute) ? KindGuess(use, strength) : nil
        }
    }
}
