import CoreDataModeling

/// The traits of a slot for the code that runs for each slot of each object, without using its description.
@usableFromInline
package struct SlotTraits: OptionSet, BitwiseCopyable, Sendable {
    @usableFromInline package let rawValue: UInt16

    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Integers that are kept as they are, without the checks and conversions that other types need.
    @inlinable package static var integer64: SlotTraits { SlotTraits(rawValue: 1) }
    @inlinable package static var integer32: SlotTraits { SlotTraits(rawValue: 2) }
    @inlinable package static var integer16: SlotTraits { SlotTraits(rawValue: 4) }
    @inlinable package static var boolean: SlotTraits { SlotTraits(rawValue: 8) }
    /// Real numbers and dates that are kept as they are.
    @inlinable package static var real: SlotTraits { SlotTraits(rawValue: 16) }
    /// The hidden slot behind a to-one relationship.
    @inlinable package static var targetNumber: SlotTraits { SlotTraits(rawValue: 32) }
    /// A value that a store may keep outside the row.
    @inlinable package static var large: SlotTraits { SlotTraits(rawValue: 64) }
    @inlinable package static var toOne: SlotTraits { SlotTraits(rawValue: 128) }
    /// Texts that are kept as they are.
    @inlinable package static var text: SlotTraits { SlotTraits(rawValue: 256) }
    /// A relationship's, not an attribute's: of either kind.
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

    /// Whether an integer can be kept as it is.
    @inlinable package func takes(_ value: Int64) -> Bool {
        if contains(.integer64) { return true }
        if contains(.integer32) { return Int32(exactly: value) != nil }
        if contains(.integer16) { return Int16(exactly: value) != nil }
        return contains(.boolean) && (value == 0 || value == 1)
    }
}
