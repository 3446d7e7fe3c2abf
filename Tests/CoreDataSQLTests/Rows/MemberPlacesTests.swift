import Testing

@testable import CoreDataSQL

@Suite("Places in ordered relationships")
struct MemberPlacesTests {
    private static func places(_ members: [Int64], _ stored: [Int64: Int64], after: Int64 = 0) -> [Int64: Int64]? {
        MemberPlaces(after: after).changes(for: members, stored: stored).map {
            Dictionary($0.map { ($0.member, $0.place) }, uniquingKeysWith: { first, _ in first })
        }
    }

    @Test func firstMembersStandAtMultiplesOfTheGap() {
        #expect(Self.places([7, 5, 6], [:]) == [7: 2048, 5: 3072, 6: 4096])
    }

    @Test func memberAtTheEndIsTheOnlyOneWritten() {
        #expect(Self.places([1, 2, 3], [1: 2048, 2: 3072]) == [3: 4096])
    }

    @Test func memberInTheMiddleGetsAPlaceBetweenItsNeighbours() {
        #expect(Self.places([1, 9, 2], [1: 2048, 2: 3072]) == [9: 2560])
        #expect(Self.places([9, 1, 2], [1: 2048, 2: 3072]) == [9: 1024])
    }

    @Test func movedMemberIsTheOnlyOneWritten() {
        let stored: [Int64: Int64] = [1: 2048, 2: 3072, 3: 4096, 4: 5120]
        #expect(Self.places([4, 1, 2, 3], stored) == [4: 1024])
        #expect(Self.places([2, 3, 4, 1], stored) == [1: 6144])
        #expect(Self.places([1, 3, 2, 4], stored)?.count == 1)
    }

    @Test func neighboursWithoutRoomAreMovedToo() {
        let changes = Self.places([1, 9, 2, 3], [1: 10, 2: 11, 3: 100])
        #expect(changes?.count == 2 && changes?[3] == nil)
        #expect(Self.places([1, 2, 9], [1: 10, 2: 10])?.count == 2)
    }

    @Test func placesEndWithTheNumbers() {
        #expect(Self.places([1, 2], [1: .max]) == nil)
        #expect(Self.places([2, 1], [1: .max])?.count == 1)
    }

    @Test("Every order of every stored state ascends afterwards", arguments: 0..<200)
    func anyOrderAscends(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: Int64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64((state >> 33) % UInt64(bound))
        }
        let members = (0..<12).map { Int64($0) }.sorted { _, _ in next(2) == 0 }
        var stored: [Int64: Int64] = [:]
        for member in members where next(4) > 0 { stored[member] = next(seed % 2 == 0 ? 20 : 20_000) }
        let after = next(10)
        guard let changes = Self.places(members, stored, after: after) else {
            Issue.record("seed \(seed): no places")
            return
        }
        let final = members.compactMap { changes[$0] ?? stored[$0] }
        #expect(final.count == members.count && zip([after] + final, final).allSatisfy { $0 < $1 })
    }
}
