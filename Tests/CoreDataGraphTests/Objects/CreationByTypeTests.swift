import CoreDataGraph
import StoreContract
import Testing

/// Objects made by a class that only run time knows: helpers as programs have them in extensions and generic functions.
@Suite struct CreationByTypeTests {
    @Test("generic parameters, Self and values of metatypes make objects of the class that they stand for (OBJ-02)")
    func dynamicTypesMakeTheirObjects() throws {
        let stack = try HeroModel.stack(.inMemory)
        let power: Power = stack.context.make()
        let types: [NSManagedObject.Type] = [Power.self]
        let made = [power, Power.inserted(into: stack.context)] + types.map { $0.init(context: stack.context) }
        #expect(made.allSatisfy { type(of: $0) == Power.self && $0.isInserted })
        #expect(stack.context.insertedObjects == Set(made))
        // The static type is the base class; what is asked is the value.
        let base: NSManagedObject.Type = Power.self
        #expect(type(of: base.inserted(into: stack.context)) == Power.self)
    }

    @Test("a class with stored properties and initializers of its own is made by its type as well (OBJ-02)")
    func classWithOwnInitializersIsMadeByItsType() throws {
        let builder = ModelBuilder()
        builder.entity("Marked", class: "CoreDataGraphTests.Marked", ["name": .stringAttributeType])
        let stack = try Stack(builder.model, kind: .inMemory)
        let marked: Marked = stack.context.make()
        #expect(marked.mark == 7)
        #expect(Marked(mark: 9, context: stack.context).mark == 9)
        #expect(Marked(name: "Ann", context: stack.context).value(forKey: "name") as? String == "Ann")
    }

    @Test("an override of the initializer is called by generic code (OBJ-02)")
    func overrideIsCalled() throws {
        let builder = ModelBuilder()
        builder.entity("Greeted", class: "CoreDataGraphTests.Greeted", ["name": .stringAttributeType])
        let stack = try Stack(builder.model, kind: .inMemory)
        let greeted: Greeted = stack.context.make()
        #expect(greeted.value(forKey: "name") as? String == "Hello")
    }

    @Test("extensions of the coordinator make it by self.init, in class methods and initializers")
    func coordinatorsAreMadeInExtensions() throws {
        let plain = try NSPersistentStoreCoordinator.inMemory(HeroModel.make())
        #expect(type(of: plain) == NSPersistentStoreCoordinator.self && plain.persistentStores.count == 1)
        #expect(try type(of: NamedCoordinator.inMemory(HeroModel.make())) == NamedCoordinator.self)
        #expect(NSPersistentStoreCoordinator(named: "Main", HeroModel.make()).name == "Main")
        #expect(NamedCoordinator(managedObjectModel: HeroModel.make()).name == "Named")
    }
}

/// A class with a designated initializer of its own.
class Marked: NSManagedObject {
    let mark: Int

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        mark = 7
        super.init(entity: entity, insertInto: context)
    }

    init(mark: Int, context: NSManagedObjectContext) {
        self.mark = mark
        super.init(entity: Self.entity(), insertInto: context)
    }

    convenience init(name: String, context: NSManagedObjectContext) {
        self.init(context: context)
        setValue(name, forKey: "name")
    }
}

class Greeted: NSManagedObject {
    required convenience init(context: NSManagedObjectContext) {
        self.init(entity: Self.entity(), insertInto: context)
        setValue("Hello", forKey: "name")
    }
}

private class NamedCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    required init(managedObjectModel model: NSManagedObjectModel) {
        super.init(managedObjectModel: model)
        name = "Named"
    }
}

extension NSManagedObject {
    fileprivate static func inserted(into context: NSManagedObjectContext) -> Self { Self(context: context) }
}

extension NSManagedObjectContext {
    fileprivate func make<T: NSManagedObject>() -> T { T(context: self) }
}

extension NSPersistentStoreCoordinator {
    fileprivate class func inMemory(_ model: NSManagedObjectModel) throws -> Self {
        let coordinator = self.init(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        return coordinator
    }

    fileprivate convenience init(named name: String, _ model: NSManagedObjectModel) {
        self.init(managedObjectModel: model)
        self.name = name
    }
}
