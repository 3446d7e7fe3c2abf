import CoreDataTestSupport
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
        let draft = ModelDraft()
        let entity = draft.entity("Thing")
        _ = NSPersistentStoreCoordinator(managedObjectModel: draft.model)
        return (0..<count).map { _ in NSManagedObject(entity: entity, insertInto: nil) }
    }
}
