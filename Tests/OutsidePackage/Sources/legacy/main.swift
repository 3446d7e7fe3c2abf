// Written as programs were before Swift 6: global state, a main-queue context, completion handlers.
import CoreData
import Foundation

class Shelf: NSManagedObject {
    @NSManaged var label: String?
    @NSManaged var copies: Int16
}

class Reporter: NSObject, NSFetchedResultsControllerDelegate {
    var changes = 0

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange object: Any, at: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        changes += 1
    }
}

var finished = false
let reporter = Reporter()
let model = NSManagedObjectModel(contentsOf: Bundle.module.url(forResource: "Stock", withExtension: "momd")!)!
let container = NSPersistentContainer(name: "Stock", managedObjectModel: model)
let description = NSPersistentStoreDescription()
description.type = NSInMemoryStoreType
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { _, error in
    if let error = error { fatalError("\(error)") }
    finished = true
}
precondition(finished)

let context = container.viewContext
context.automaticallyMergesChangesFromParent = true
let request = NSFetchRequest<Shelf>(entityName: "Shelf")
request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
let results = NSFetchedResultsController(
    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
results.delegate = reporter
try! results.performFetch()

for label in ["B", "A"] {
    let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context) as! Shelf
    shelf.label = label
    shelf.copies += 3
}
try! context.save()
print(
    "shelves: \((results.fetchedObjects ?? []).map { "\($0.label ?? "")\($0.copies)" }), changes: \(reporter.changes)")
