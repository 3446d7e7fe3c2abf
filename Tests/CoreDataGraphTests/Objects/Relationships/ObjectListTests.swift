import StoreContract
import TestBasics
import Testing

@testable import CoreDataGraph

@Suite struct ObjectListTests {
    let objects = LooseObjects.make(6)

    @Test func keepsFirstOfEqualObjects() {
        var list = ObjectList([objects[0], objects[1], objects[0]])
        #expect(list.count == 2)
        let result1 = list.append(objects[1])
        #expect(!result1)
        let result2 = list.append(objects[2])
        #expect(result2)
        #expect(list.objects == [objects[0], objects[1], objects[2]])
    }

    @Test("a list without an index finds, adds and removes what one with an index does") func listWithoutIndex() {
        let objects = LooseObjects.make(50)
        var (plain, indexed) = (ObjectList(distinct: Array(objects[..<40])), ObjectList(objects[..<40]))
        #expect(plain.count == 40 && !plain.isEmpty && plain.objects == indexed.objects)
        #expect(plain.contains(objects[3]) && !plain.contains(objects[45]))
        for index in [39, 0, 17, 18] {
            let removed = [plain.remove(objects[index]), indexed.remove(objects[index]), plain.remove(objects[index])]
            #expect(removed == [true, true, false])
        }
        let appended = [plain.append(objects[5]), plain.append(objects[17]), indexed.append(objects[17])]
        #expect(appended == [false, true, true])
        plain.insert(objects[44], at: 2)
        indexed.insert(objects[44], at: 2)
        plain.closeGaps()
        indexed.closeGaps()
        #expect(plain.count == 38 && plain.objects == indexed.objects)
        #expect(objects.allSatisfy { plain.contains($0) == indexed.contains($0) })
    }

    @Test("each change of a list that has no index yet makes one first") func firstChanges() {
        var appended = ObjectList(distinct: objects)
        let isNew = appended.append(objects[4])
        #expect(!isNew && appended.count == 6)
        var removed = ObjectList(distinct: objects)
        let wasThere = removed.remove(objects[0])
        #expect(wasThere && removed.objects == Array(objects[1...]))
        var inserted = ObjectList(distinct: Array(objects[1...]))
        inserted.insert(objects[0], at: 0)
        #expect(inserted.objects == objects && inserted.contains(objects[0]))
        #expect(ObjectList<NSManagedObject>(distinct: []).isEmpty)
    }

    @Test func removesKeepingOrder() {
        var list = ObjectList(objects)
        let result3 = list.remove(objects[1])
        #expect(result3)
        let result4 = list.remove(objects[1])
        #expect(!result4)
        #expect(list.objects == [objects[0], objects[2], objects[3], objects[4], objects[5]])
        let result5 = list.remove(objects[5])
        #expect(result5)
        #expect(list.objects == [objects[0], objects[2], objects[3], objects[4]])
    }

    @Test func removesInAnyPlaceWithoutLosingOthers() {
        for removed in objects {
            var list = ObjectList(objects)
            let result6 = list.remove(removed)
            #expect(result6)
            #expect(!list.contains(removed))
            #expect(Set(list.objects) == Set(objects).subtracting([removed]))
            for object in list.objects { list.remove(object) }
            #expect(list.isEmpty)
        }
    }

    @Test("a list agrees with an array under random changes (REL-10)", arguments: [1, 2, 3, 4] as [UInt64])
    func agreesWithArray(seed: UInt64) {
        let objects = LooseObjects.make(60)
        var random = SeededRandom(seed: seed)
        var list = ObjectList<NSManagedObject>()
        var plain: [NSManagedObject] = []
        for step in 0..<2_000 {
            let object = objects[random.next(below: objects.count)]
            let place = plain.firstIndex { $0 === object }
            switch random.next(below: 5) {
            case 0:
                list.append(object)
                if place == nil { plain.append(object) }
            case 1 where place == nil:
                let index = random.next(below: plain.count + 1)
                list.insert(object, at: index)
                plain.insert(object, at: index)
            case 2: list.closeGaps()
            default:
                list.remove(object)
                if let place { plain.remove(at: place) }
            }
            #expect(list.count == plain.count && list.contains(object) == plain.contains(object))
            #expect(list.objects == plain, "seed \(seed), step \(step)")
        }
    }

    @Test func letsGoOfWhatWasRemoved() {
        weak var probe: NSManagedObject?
        var list = ObjectList(objects)
        do {
            let object = LooseObjects.make(1)[0]
            probe = object
            list.insert(object, at: 2)
            list.remove(object)
        }
        list.closeGaps()
        #expect(probe == nil)
    }
}

@Suite struct ToManyLinksTests {
    let objects = LooseObjects.make(4)

    @Test func appliesEarlierChangesWhenLoaded() {
        let links = ToManyLinks(isOrdered: false)
        #expect(links.add(objects[0]))
        #expect(links.remove(objects[1]))
        links.load([objects[1], objects[2]])
        #expect(Set(links.objects) == [objects[0], objects[2]])
        #expect(links.hasChanges)
    }

    @Test func addingWhatWasRemovedIsNoChange() {
        let links = ToManyLinks(isOrdered: false)
        links.load([objects[0]])
        #expect(links.remove(objects[0]))
        #expect(links.add(objects[0]))
        #expect(!links.hasChanges)
        #expect(links.objects == [objects[0]])
    }

    @Test func removingWhatWasAddedIsNoChange() {
        let links = ToManyLinks(isOrdered: false)
        #expect(links.add(objects[0]))
        #expect(links.remove(objects[0]))
        #expect(!links.hasChanges)
        links.load([])
        #expect(links.objects.isEmpty)
    }

    @Test func addingTwiceOrRemovingStrangerChangesNothing() {
        let links = ToManyLinks(isOrdered: false)
        links.load([objects[0]])
        #expect(!links.add(objects[0]))
        #expect(!links.remove(objects[1]))
        #expect(!links.hasChanges)
    }

    @Test func reorderingCountsOnlyWhenOrderDiffers() {
        let links = ToManyLinks(isOrdered: true)
        links.load([objects[0], objects[1], objects[2]])
        #expect(!links.reorder([objects[0], objects[1], objects[2]]))
        #expect(!links.hasChanges)
        #expect(links.reorder([objects[2], objects[0], objects[1]]))
        #expect(links.hasChanges)
        links.markSaved()
        #expect(!links.hasChanges)
        #expect(links.objects == [objects[2], objects[0], objects[1]])
    }
}

/// Objects that live in no context.
enum LooseObjects {
    static func make(_ count: Int) -> [NSManagedObject] {
        let builder = ModelBuilder()
        let entity = builder.entity("Thing")
        _ = NSPersistentStoreCoordinator(managedObjectModel: builder.model)
        return (0..<count).map { _ in NSManagedObject(entity: entity, insertInto: nil) }
    }
}
