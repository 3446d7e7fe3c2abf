/// A set of slot numbers, as bits.
///
/// Invariant: `further` contains the bits of the slots from 64 on and has no zero word at its end, so that equal sets
/// are equal values.
@usableFromInline
package struct SlotSet: Hashable, Sendable {
    @usableFromInline var first: UInt64 = 0
    @usableFromInline var further: [UInt64] = []

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { first == 0 && further.isEmpty }

    @inlinable package func contains(_ slot: Int) -> Bool {
        slot < 64 ? first & (1 &<< UInt64(truncatingIfNeeded: slot)) != 0 : furtherContains(slot)
    }

    @usableFromInline func furtherContains(_ slot: Int) -> Bool {
        let word = slot >> 6 - 1
        return word < further.count && further[word] & (1 << UInt64(slot & 63)) != 0
    }

    package func intersects(_ other: SlotSet) -> Bool {
        first & other.first != 0 || zip(further, other.further).contains { $0 & $1 != 0 }
    }

    package mutating func remove(_ slot: Int) {
        guard slot >= 64 else {
            first &= ~(1 << UInt64(slot))
            return
        }
        let word = slot >> 6 - 1
        guard word < further.count else { return }
        further[word] &= ~(1 << UInt64(slot & 63))
        while further.last == 0 { further.removeLast() }
    }

    @inlinable package mutating func insert(_ slot: Int) {
        if slot < 64 { first |= 1 &<< UInt64(truncatingIfNeeded: slot) } else { insertFurther(slot) }
    }

    @usableFromInline mutating func insertFurther(_ slot: Int) {
        let word = slot >> 6 - 1
        while further.count <= word { further.append(0) }
        further[word] |= 1 << UInt64(slot & 63)
    }

    package mutating func formUnion(_ other: SlotSet) {
        first |= other.first
        while further.count < other.further.count { further.append(0) }
        for (index, word) in other.further.enumerated() { further[index] |= word }
    }
}
