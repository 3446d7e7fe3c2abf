import CoreDataModeling

/// The numbers of an entity's properties in persistent history, and the attributes whose values history preserves on
/// deletion.
///
/// To-one relationships come first, then attributes, then to-many relationships, each sorted by name; properties that
/// are not stored have no number. A set of changed properties is stored as bits, the first property in the highest bit
/// of the first byte, in the smallest number of bytes that has a bit for every property of the entity.
/// Source: change rows of Apple's stores; see `Docs/Decisions/0010-persistent-history.md`.
package final class HistoryProperties: Sendable {
    /// The names of the properties, by their numbers.
    package let names: [String]
    /// The slots of the attributes whose values history preserves of a deleted row, in the order of their columns.
    package let tombstoneSlots: [Int]
    private let numbers: [String: Int]
    /// The number of the property in each stored slot; -1 for slots without one.
    private let slotNumbers: [Int]
    private let toManyNumbers: [Int]

    package init(_ layout: EntityLayout) {
        var (toOnes, attributes): ([String], [String]) = ([], [])
        for slot in layout.slots[0..<layout.storedCount] {
            switch slot.content {
            case .attribute: attributes.append(slot.name)
            case .toOne: toOnes.append(slot.name)
            case .targetNumber: break
            }
        }
        let toManys = layout.toMany.filter { !$0.isTransient }.map(\.name)
        names =
            toOnes.sorted(by: Self.precedes) + attributes.sorted(by: Self.precedes) + toManys.sorted(by: Self.precedes)
        let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        self.numbers = numbers
        slotNumbers = layout.slots[0..<layout.storedCount].map { slot in
            if case .targetNumber = slot.content { return -1 }
            return numbers[slot.name] ?? -1
        }
        toManyNumbers = layout.toMany.map { numbers[$0.name] ?? -1 }
        tombstoneSlots = layout.slots[0..<layout.storedCount].enumerated().filter { $1.isPreserved }
            .sorted { Self.precedes($0.element.name, $1.element.name) }.map(\.offset)
    }

    /// The properties of all entities of a model, by the numbers of their layouts.
    package static func all(of model: ModelLayout) -> [HistoryProperties] { model.entities.map(HistoryProperties.init) }

    /// The number of a property; nil for a property that is not stored.
    package func number(of name: String) -> Int? { numbers[name] }

    /// The number of the to-many relationship at an index of the layout's `toMany`; nil for one that is not stored.
    package func number(ofToMany index: Int) -> Int? { toManyNumbers[index] < 0 ? nil : toManyNumbers[index] }

    /// The properties whose values are in the given slots.
    package func properties(inSlots slots: SlotSet) -> SlotSet {
        var properties = SlotSet()
        for (slot, number) in slotNumbers.enumerated() where number >= 0 && slots.contains(slot) {
            properties.insert(number)
        }
        return properties
    }

    /// The names of a set of properties.
    package func names(of properties: SlotSet) -> [String] {
        names.indices.filter(properties.contains).map { names[$0] }
    }

    /// How many bytes a stored set of properties has.
    package var packedWidth: Int { (names.count + 7) / 8 }

    /// The stored form of a set of properties.
    package func packed(_ properties: SlotSet) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: packedWidth)
        for number in names.indices where properties.contains(number) {
            bytes[number / 8] |= 0x80 >> UInt8(number % 8)
        }
        return bytes
    }

    /// The set of properties that stored bytes represent; nil if the bytes were written for another version of the
    /// entity.
    package func properties(packed bytes: UnsafeRawBufferPointer) -> SlotSet? {
        guard bytes.count == packedWidth else { return nil }
        var properties = SlotSet()
        for (index, byte) in bytes.enumerated() where byte != 0 {
            for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 {
                guard index * 8 + bit < names.count else { return nil }
                properties.insert(index * 8 + bit)
            }
        }
        return properties
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension EntityLayout.Slot {
    /// Whether history preserves the value on deletion; never for values that may be stored outside of the row.
    fileprivate var isPreserved: Bool {
        guard case .attribute(let attribute, _) = content else { return false }
        return attribute.preservesValueInHistoryOnDeletion && !attribute.allowsExternalBinaryDataStorage
    }
}
