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
    try FileManager.default.contentsOfDirectory(atPath: Bundle.module.bundlePath).filter { $0.contains("Basket") })
let expression: NSExpression = NSExpression(forKeyPath: "name")
print("aliases:", expression.keyPath)
