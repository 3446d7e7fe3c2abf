import CoreData
import StoreContract
import Testing

/// Names that sources for Apple's systems use and that mean less here, or nothing.
@Suite struct OlderSourceTests {
    @Test("Xcode's template with CloudKit runs on local stores, which is said once (CTX-01)")
    func cloudKitContainer() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for _ in 0..<2 {
                let container = NSPersistentCloudKitContainer(name: "Notes", managedObjectModel: HeroModel.make())
                let description = try #require(container.persistentStoreDescriptions.first)
                description.url = URL(fileURLWithPath: "/dev/null")
                description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
                    containerIdentifier: "iCloud.com.example.Notes")
                description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
                description.setOption(
                    true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
                let copy = description.copy() as? NSPersistentStoreDescription
                #expect(copy?.cloudKitContainerOptions?.containerIdentifier == "iCloud.com.example.Notes")
                let second = NSPersistentStoreDescription()
                second.isReadOnly = true
                container.persistentStoreDescriptions.append(second)
                var errors: [(any Error)?] = []
                container.loadPersistentStores { errors.append($1) }
                #expect(errors.count == 2 && errors.allSatisfy { $0 == nil })
                container.viewContext.automaticallyMergesChangesFromParent = true
                let hero = container.viewContext.insert("Hero")
                try container.viewContext.save()
                #expect(container.canUpdateRecord(forManagedObjectWith: hero.objectID))
                #expect(container.canDeleteRecord(forManagedObjectWith: hero.objectID))
                let stores = container.persistentStoreCoordinator.persistentStores
                #expect(stores.map { container.canModifyManagedObjects(in: $0) } == [true, false])
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.components(separatedBy: "are local and are not synchronised").count == 2)
    }

    @Test("The names of CloudKit's events and of history's options are Apple's")
    func namesOfEvents() {
        #expect(
            NSPersistentCloudKitContainer.eventChangedNotification.rawValue
                == "NSPersistentCloudKitContainerEventChangedNotification")
        #expect(NSPersistentCloudKitContainer.eventNotificationUserInfoKey == "event")
        #expect(NSPersistentHistoryTrackingKey == "NSPersistentHistoryTrackingKey")
        #expect(
            NSPersistentStoreRemoteChangeNotificationPostOptionKey
                == "NSPersistentStoreRemoteChangeNotificationOptionKey")
        let note = Notification(name: NSPersistentCloudKitContainer.eventChangedNotification)
        let event = note.userInfo?["event"] as? NSPersistentCloudKitContainer.Event
        #expect(event.map { ($0.type == .import, $0.succeeded, $0.endDate, $0.storeIdentifier) } == nil)
    }

    @Test("a context without a kind works on the thread that uses it, also where misuse is looked for (CTX-01)")
    func contextWithoutKind() async {
        await #expect(processExitsWith: .success) {
            setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
            let context = NSManagedObjectContext()
            #expect(context.concurrencyType == .confinementConcurrencyType)
            #expect(NSManagedObjectContextConcurrencyType.confinementConcurrencyType.rawValue == 0)
            let stack = try HeroModel.stack(.inMemory)
            context.persistentStoreCoordinator = stack.coordinator
            context.undoManager = UndoManager()
            let hero = context.insert("Hero", ["name": "Ann"])
            try context.save()
            hero.setValue("Bob", forKey: "name")
            context.processPendingChanges()
            context.undo()
            #expect(hero.value(forKey: "name") as? String == "Ann")
            #expect(context.performAndWait { hero.value(forKey: "name") as? String } == "Ann")
        }
    }

    @Test("A conflict of unique values is made without anything")
    func emptyConflict() {
        let conflict = NSConstraintConflict()
        #expect(conflict.constraint.isEmpty && conflict.conflictingObjects.isEmpty && conflict.databaseObject == nil)
        #expect(conflict.constraintValues.isEmpty)
    }
}
