// A program for the debugger: objects of a store in memory, a loop, and an error of the library.
import CoreData

final class Hero: NSManagedObject {}

let name = NSAttributeDescription()
(name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, false)
let rank = NSAttributeDescription()
(rank.name, rank.attributeType, rank.isOptional) = ("rank", .integer16AttributeType, true)
let entity = NSEntityDescription()
(entity.name, entity.managedObjectClassName) = ("Hero", NSStringFromClass(Hero.self))
entity.properties = [name, rank]
let model = NSManagedObjectModel()
model.entities = [entity]
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
context.persistentStoreCoordinator = coordinator

/// Does something for each number; stops in it are tried with conditions and counts.
@inline(never) func visit(_ number: Int) -> Int { number * 2 }

/// Saves an object that lacks a required value.
@inline(never) func saveInvalidObject() {
    let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
    do {
        try context.save()
        print("saved")
    } catch {
        print("not saved")
    }
    context.delete(hero)
}

/// Has a fault, an object with values and a changed one.
@inline(never) func look(_ fault: NSManagedObject, _ read: Hero, _ changed: Hero?) {
    print("fault \(fault.isFault)", "read \(read.isFault)", "changed \(changed?.hasChanges == true)")
}

for number in 0..<3 {
    let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
    hero.setValue("Ann \(number)", forKey: "name")
    hero.setValue(number, forKey: "rank")
}
try context.save()
let heroes = try context.fetch(NSFetchRequest<Hero>(entityName: "Hero"))
    .sorted { $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path }
context.refresh(heroes[0], mergeChanges: false)
_ = heroes[1].value(forKey: "name")
heroes[2].setValue(7, forKey: "rank")
var sum = 0
for number in 0..<30 { sum += visit(number) }
saveInvalidObject()
look(heroes[0], heroes[1], heroes[2])
print("sum \(sum)")
