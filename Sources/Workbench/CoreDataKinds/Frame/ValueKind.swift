import CoreData

/// What values mean to people beyond their type: an address to write to, an amount of money, a place.
///
/// A kind is a folder of this module and a row of `KindRegistry`; the page has a view of it in `Assets/components/kinds`. Kinds hold no
/// state.
package protocol ValueKind: Sendable {
    /// The name in models, property lists, JSON and `coredata kinds`, such as `mailAddress`.
    var name: String { get }
    /// What the kind is, in a few words for people.
    var summary: String { get }
    /// The types of attributes that can hold it.
    var types: Set<AttributeKind> { get }

    /// The names of the further attributes that have no meaning apart from the first, such as `longitude`: they have no kind of their own.
    var ownParts: Set<String> { get }
    /// Those of the own parts that a text which is entered sets too: `value(of:for:_:)` gives theirs for their attributes.
    var enteredParts: Set<String> { get }

    /// Whether values of an attribute of data are worth reading to guess, although they may be large.
    func guessesByData(of attribute: KeyedAttribute) -> Bool

    /// The attributes of an entity that are likely to have the kind, with how likely.
    func guesses(in entity: EntitySamples) -> [KindGuess]

    /// The use that a model, a property list or a person has named for an attribute.
    ///
    /// - Throws: `InspectionError` of code `badValue` if the attribute cannot have the kind, or a parameter is wrong.
    func use(of attribute: KeyedAttribute, _ parameters: KindParameters, origin: KindUse.Origin) throws -> KindUse

    /// What the values of one object say. The attribute of the use is not nil.
    func reading(_ values: KindValues, _ use: KindUse) -> KindReading

    /// What a view of the kind shows beside the line of the reading; nil for kinds without such a view.
    func content(_ values: KindValues, _ use: KindUse) -> JSONValue?

    /// The value to store for a text that was entered.
    ///
    /// - Throws: `InspectionError` of code `badValue` that says what was expected.
    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any?
}

extension ValueKind {
    package var ownParts: Set<String> { [] }

    package var enteredParts: Set<String> { [] }

    package func guessesByData(of attribute: KeyedAttribute) -> Bool { false }

    package func content(_ values: KindValues, _ use: KindUse) -> JSONValue? { nil }

    /// The plain use, for kinds that need one attribute and no parameters.
    package func use(
        of attribute: KeyedAttribute, _ parameters: KindParameters, origin: KindUse.Origin
    ) throws -> KindUse {
        try requireType(of: attribute)
        return KindUse(kind: name, key: attribute.key, origin: origin)
    }

    /// - Throws: `InspectionError` of code `badValue` for an attribute of a type that cannot hold the kind.
    func requireType(of attribute: KeyedAttribute) throws {
        guard types.contains(AttributeKind(attribute.description)) else {
            throw InspectionError(
                .badValue, subject: attribute.key,
                cause: "an attribute of type \(attribute.description.attributeType.text) cannot have the kind \(name)",
                hint: "name another kind, or '\(KindParameters.none)' for no kind")
        }
    }

    /// The error for an entered text that is no value of the kind.
    func refused(_ attribute: NSAttributeDescription, _ cause: String, hint: String) -> InspectionError {
        InspectionError(.badValue, subject: attribute.name, cause: cause, hint: hint)
    }
}
