import CoreData
import Foundation
import Store

// Reads and writes a store of the model in the library, and tells what the build made of both models.
let container = NSPersistentContainer(name: "Store")
let description = NSPersistentStoreDescription(
    url: FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite"))
container.persistentStoreDescriptions = [description]
container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
}
let context = container.viewContext
let article = Article(context: context)
article.name = "Lamp"
article.price = 30
let order = Order(context: context)
order.setValue(2, forKey: "count")
article.addToOrders(order)
try context.save()
context.reset()

let request: NSFetchRequest<Order> = Order.fetchRequest()
request.predicate = NSPredicate(format: "article.name == %@", "Lamp")
print("total:", try context.fetch(request).map(\.total))
print("entities:", container.managedObjectModel.entities.compactMap(\.name).sorted())
print("Article:", PropertyTable.of(Article.self).keys)
print("Basket:", PropertyTable.of(Basket.self).keys)
print(
    "resources:",
    try FileManager.default.contentsOfDirectory(atPath: Bundle.module.bundlePath).filter { $0.hasSuffix("momd") }
        .sorted())
// Properties that are marked @NSManaged, of another module: what an optimiser sees of them.
final class Receipt: NSManagedObject {
    @NSManaged var number: Int32
    @NSManaged var ledger: Ledger?
}
let ledger = Ledger(context: context)
ledger.title = "Year"
ledger.kind = .final
ledger.hidden = "h"
for amount in [1.5, 2.5] {
    let line = Line(context: context)
    line.amount = amount
    line.ledger = ledger
    ledger.balance += Int64(amount * 10)
}
ledger.addToLines(Line(context: context))
ledger.written = Date(timeIntervalSinceReferenceDate: 5)
try context.save()
ledger.removeFromLines(NSSet(array: (ledger.lines ?? []).filter { $0.amount == 0 }))
print("ledger:", ledger.heading, ledger.kind, ledger.lines?.map(\.amount).sorted() ?? [], ledger.hidden ?? "")
print("by key:", ledger.value(forKey: "heading") ?? "nil", ledger.value(forKey: "balance") ?? "nil")
print("written:", ledger.written?.timeIntervalSinceReferenceDate ?? 0)
print("Receipt:", PropertyTable.of(Receipt.self).keys)
let expression: NSExpression = NSExpression(forKeyPath: "name")
print("aliases:", expression.keyPath)
print("public alias:", cheapest().function)
// A model made in code that names a class of the library by its bare name, and a private class.
private final class Stamp: NSManagedObject {
    @NSManaged var value: Int32
}
let coded = NSManagedObjectModel()
coded.entities = [("Volume", "Ledger"), ("Stamp", NSStringFromClass(Stamp.self))].map { name, className in
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = (name, className)
    let value = NSAttributeDescription()
    (value.name, value.attributeType) = ("value", .integer32AttributeType)
    entity.properties = [value]
    return entity
}
let codedContainer = NSPersistentContainer(name: "Coded", managedObjectModel: coded)
let volume = NSEntityDescription.insertNewObject(forEntityName: "Volume", into: codedContainer.viewContext)
private let stamp = Stamp(context: codedContainer.viewContext)
stamp.value = 12
print("bare:", type(of: volume), stamp.value)
