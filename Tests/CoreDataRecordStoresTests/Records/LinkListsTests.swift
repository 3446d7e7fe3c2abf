import TestBasics
import Testing

@testable import CoreDataRecordStores

@Suite struct LinkListsTests {
    private func pairs(_ owner: Int64, _ members: Int64...) -> [KeyPair] {
        members.map { KeyPair(owner: owner, member: $0) }
    }

    @Test func unorderedMembersComeByKey() {
        var lists = LinkLists(isOrdered: false)
        lists.change(removing: [], adding: pairs(1, 5, 3, 9) + pairs(2, 4))
        lists.change(removing: pairs(1, 5, 77), adding: pairs(1, 4, 3))
        #expect(lists.members(of: 1) == [3, 4, 9])
        #expect(lists.members(of: 2) == [4])
        #expect(lists.members(of: 3) == [])
    }

    @Test func orderedMembersStandAtTheEndInTheirOrder() {
        var lists = LinkLists(isOrdered: true)
        lists.change(removing: [], adding: pairs(1, 1, 2, 3))
        lists.setOrder(of: [3, 1, 2], owner: 1)
        #expect(lists.members(of: 1) == [3, 1, 2])
        lists.change(removing: pairs(1, 1), adding: pairs(1, 7))
        lists.setOrder(of: [7, 8], owner: 1)
        #expect(lists.members(of: 1) == [3, 2, 7])
    }

    @Test func randomChangesAgreeWithSets() {
        var random = SeededRandom(seed: 11)
        var lists = LinkLists(isOrdered: false)
        var reference: [Int64: Set<Int64>] = [:]
        for _ in 0..<500 {
            let removed = (0..<random.next(below: 6)).map { _ in
                KeyPair(owner: Int64(random.next(below: 4)), member: Int64(random.next(below: 20)))
            }
            let added = (0..<random.next(below: 6)).map { _ in
                KeyPair(owner: Int64(random.next(below: 4)), member: Int64(random.next(below: 20)))
            }
            lists.change(removing: removed, adding: added)
            for pair in removed { reference[pair.owner, default: []].remove(pair.member) }
            for pair in added { reference[pair.owner, default: []].insert(pair.member) }
            for owner in Int64(0)..<4 { #expect(lists.members(of: owner) == reference[owner, default: []].sorted()) }
        }
    }

    @Test func memberOfRelationshipWithoutInverseHasOneOwner() {
        var table = LinkTable(kind: .single, isOrdered: false, isInverseOrdered: false)
        table.change(removing: [], adding: pairs(1, 10, 11))
        table.change(removing: pairs(1, 10), adding: pairs(2, 10, 11) + pairs(3, 11))
        #expect(table.members(of: 1, backwards: false) == [])
        #expect(table.members(of: 2, backwards: false) == [10])
        #expect(table.members(of: 3, backwards: false) == [11])
    }

    @Test func reflexivePairsCountInBothDirections() {
        var table = LinkTable(kind: .reflexive, isOrdered: false, isInverseOrdered: false)
        table.change(removing: [], adding: pairs(1, 2, 1))
        #expect(table.members(of: 2, backwards: false) == [1])
        #expect(table.members(of: 1, backwards: false) == [1, 2])
        table.change(removing: pairs(2, 1), adding: [])
        #expect(table.members(of: 1, backwards: false) == [1])
    }
}
