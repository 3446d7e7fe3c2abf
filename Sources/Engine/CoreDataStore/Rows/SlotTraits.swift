import CoreDataModeling

/// The type of a slot's content, for code that runs for every slot of every object without reading the property's
/// description.
@usableFromInline
package struct SlotTraits: OptionSet, BitwiseCopyable, Sendable {
    @usableFromInline package let rawValue: UInt16

    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 64-bit integers, which are stored without conversion.
    @inlinable package static var integer64: SlotTraits { SlotTraits(rawValue: 1) }
    @inlinable package static var integer32: SlotTraits { SlotTraits(rawValue: 2) }
    @inlinable package static var integer16: SlotTraits { SlotTraits(rawValue: 4) }
    @inlinable package static var boolean: SlotTraits { SlotTraits(rawValue: 8) }
    /// Real numbers and dates, which are stored without conversion.
    @inlinable package static var real: SlotTraits { SlotTraits(rawValue: 16) }
    /// The hidden slot after a to-one relationship.
    @inlinable package static var targetNumber: SlotTraits { SlotTraits(rawValue: 32) }
    /// A value that a store may store outside of the row.
    @inlinable package static var large: SlotTraits { SlotTraits(rawValue: 64) }
    @inlinable package static var toOne: SlotTraits { SlotTraits(rawValue: 128) }
    /// Texts, which are stored without conversion.
    @inlinable package static var text: SlotTraits { SlotTraits(rawValue: 256) }
    /// A slot of a to-one relationship: the relationship itself or its hidden slot.
    @inlinable package static var relationship: SlotTraits { toOne.union(targetNumber) }

    package init(_ content: EntityLayout.Content) {
        switch content {
        case .targetNumber: self = .targetNumber
        case .toOne: self = .toOne
        case .attribute(let attribute, let kind):
            self = attribute is NSDerivedAttributeDescription ? [] : Self.kept(kind)
            if attribute.allowsExternalBinaryDataStorage { insert(.large) }
        }
    }

    private static func kept(_ kind: AttributeKind) -> SlotTraits {
        switch kind {
        case .integer64: .integer64
        case .integer32: .integer32
        case .integer16: .integer16
        case .boolean: .boolean
        case .double, .float, .date: .real
        case .string: .text
        default: []
        }
    }

    /// Whether an integer can be stored without conversion.
    @inlinable package func takes(_ value: Int64) -> Bool {
        if contains(.integer64) { return true }
        if contains(.integer32) { return Int32(exactly: value) != nil }
        if contains(.integer16) { return Int16(exactly: value) != nil }
        return contains(.boolean) && (value == 0 || value == 1)
    }
}
