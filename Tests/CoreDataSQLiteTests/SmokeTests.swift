import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Test func smoke() throws {
    let hero = NSEntityDescription()
    hero.name = "Hero"
    let name = NSAttributeDescription(); name.name = "name"; name.attributeType = .stringAttributeType
    let age = NSAttributeDescription(); age.name = "age"; age.attributeType = .integer64AttributeType; age.defaultValue = 7
    hero.properties = [name, age]
    let model = NSManagedObjectModel()
    model.entities = [hero]
    let url = try Fixtures.temporaryFolder().appendingPathComponent("a.sqlite")
    do {
        let psc = NSPersistentStoreCoordinator(managedObjectModel: model)
        try psc.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = psc
        try context.performAndWait {
            let a = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
            a.setValue("Alpha", forKey: "name")
            let b = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
            b.setValue("", forKey: "name"); b.setValue(nil, forKey: "age")
            try context.save()
            #expect(a.objectID.uriRepresentation().absoluteString.hasSuffix("Hero/p1"))
            print(a)
        }
    }
    let psc = NSPersistentStoreCoordinator(managedObjectModel: model)
    try psc.addPersistentStore(type: .sqlite, at: url)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = psc
    try context.performAndWait {
        let r = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        r.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        let all = try context.fetch(r)
        print(all)
        #expect(all[0].isFault)
        #expect(all[0].value(forKey: "age") as? Int == 7)
        #expect(all[1].value(forKey: "name") as? String == "")
        #expect(all[1].value(forKey: "age") == nil)
        #expect(!all[0].isFault)
        all[0].setValue(8, forKey: "age")
        context.delete(all[1])
        try context.save()
        #expect(try context.count(for: r) == 1)
    }
}
