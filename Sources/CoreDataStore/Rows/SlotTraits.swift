import CoreDataModeling

/// What the paths that run for each slot of each object need to know of a slot, without looking at its description.
package struct SlotTraits: OptionSet, BitwiseCopyable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Integers that are kept as they are, without the checks and conversions that other types need.
    package static let integer64 = SlotTraits(rawValue: 1)
    package static let integer32 = SlotTraits(rawValue: 2)
    package static let integer16 = SlotTraits(rawValue: 4)
    package static let boolean = SlotTraits(rawValue: 8)
    /// Real numbers and dates that are kept as they are.
    package static let real = SlotTraits(rawValue: 16)
    /// The hidden slot behind a to-one relationship.
    package static let targetNumber = SlotTraits(rawValue: 32)
    /// A value that a store may keep outside the row.
    package static let large = SlotTraits(rawValue: 64)
    package static let toOne = SlotTraits(rawValue: 128)
    /// Texts that are kept as they are.
    package static let text = SlotTraits(rawValue: 256)
    /// A relationship's, not an attribute's.
    package static let relationship: SlotTraits = [.toOne, .targetNumber]

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
    package func takes(_ value: Int64) -> Bool {
        if contains(.integer64) { return true }
        if contains(.integer32) { return Int32(exactly: value) != nil }
        if contains(.integer16) { return Int16(exactly: value) != nil }
        return contains(.boolean) && (value == 0 || value == 1)
    }
}
