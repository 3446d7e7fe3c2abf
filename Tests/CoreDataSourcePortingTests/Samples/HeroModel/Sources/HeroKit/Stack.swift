import CoreData
import os.log
#if os(iOS)
import UIKit
#endif

@objc protocol StackObserver {
    func stackDidSave(_ stack: Stack)
}

@objcMembers
final class Stack: NSObject {
    let container: NSPersistentContainer
    weak var observer: StackObserver?
    private var token: NSObjectProtocol?

    init(model: NSManagedObjectModel) {
        container = NSPersistentContainer(name: "Heroes", managedObjectModel: model)
        super.init()
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in
            if let error = error { fatalError("\(error)") }
        }
        container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        container.viewContext.automaticallyMergesChangesFromParent = true
        NotificationCenter.default.addObserver(
            self, selector: #selector(contextDidSave(_:)), name: .NSManagedObjectContextDidSave,
            object: container.viewContext)
        NotificationCenter.default.addObserver(self, selector: #selector(Stack.willSave), name: NSNotification.Name.NSManagedObjectContextWillSave, object: nil)
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: nil, queue: .main
        ) { note in
            _ = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
        if let token = token { NotificationCenter.default.removeObserver(token) }
    }

    @objc private func contextDidSave(_ notification: Notification) {
        container.viewContext.perform {
            self.container.viewContext.mergeChanges(fromContextDidSave: notification)
        }
        observer?.stackDidSave(self)
    }

    @objc func willSave() {}

    static let mostPowerful = NSSortDescriptor(key: #keyPath(Hero.level), ascending: false)
    static var byName: NSSortDescriptor {
        NSSortDescriptor(
            key: #keyPath(Hero.name), ascending: true,
            selector: #selector(NSString.localizedCaseInsensitiveCompare(_:)))
    }

    func heroes(named name: String, after date: Date) throws -> [Hero] {
        let request: NSFetchRequest<Hero> = Hero.fetchRequest()
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "%K == %@", #keyPath(Hero.name), name),
            NSPredicate(format: "%K > %@ AND ANY \(#keyPath(Hero.powers)).label IN %@",
                        #keyPath(Hero.birthdate), date as CVarArg, ["a", "b"] as CVarArg),
            NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: #keyPath(Hero.level)),
                rightExpression: NSExpression(forConstantValue: 3),
                modifier: .direct, type: .greaterThan, options: []),
        ])
        request.sortDescriptors = [Stack.byName, Stack.mostPowerful]
        request.relationshipKeyPathsForPrefetching = [#keyPath(Hero.powers)]
        return try container.viewContext.fetch(request)
    }

    func maximum() -> NSExpression {
        NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "level")])
    }
}
