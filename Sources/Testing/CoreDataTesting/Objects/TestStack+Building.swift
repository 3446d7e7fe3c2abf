import CoreData
import Synchronization

/// Objects that satisfy the model's rules, of which a test states only what it is about.
extension TestStack {
    /// Inserts an object into `context`, lets the block set what the test is about, and fills what is still missing.
    ///
    /// Filled are the required attributes without a value, by the model's validation rules and uniqueness constraints,
    /// and the required relationships, with new objects of the same kind. A default value stays. The values are the
    /// same in each run; those of two objects differ.
    ///
    /// - Throws: `TestingError` with `notBuilt`, which names the rule, if the object is still not valid; what the block
    ///   throws. Nothing stays inserted then.
    @discardableResult
    public func make<T: NSManagedObject>(
        _ type: T.Type, in context: NSManagedObjectContext? = nil, _ configure: (T) throws -> Void = { _ in }
    ) throws -> T {
        let context = context ?? self.context
        return try build(in: context) { builder in
            let object = type.init(context: context)
            builder.note(object)
            try configure(object)
            return object
        }
    }

    /// Makes several objects; the block gets the index of each, counted from 0.
    ///
    /// - Throws: as for one object; all are taken back then.
    @discardableResult
    public func make<T: NSManagedObject>(
        _ count: Int, _ type: T.Type, in context: NSManagedObjectContext? = nil,
        _ configure: (T, Int) throws -> Void = { _, _ in }
    ) throws -> [T] {
        var made: [T] = []
        do {
            for index in 0..<max(0, count) {
                made.append(try make(type, in: context) { try configure($0, index) })
            }
        } catch {
            for object in made { object.managedObjectContext?.delete(object) }
            throw error
        }
        return made
    }

    /// Inserts an object of an entity with the values given, by key, and fills what is still missing.
    ///
    /// - Throws: `TestingError` with `unknownName` for an entity or a key that the model does not have, or for an
    ///   abstract entity; `notBuilt` as above.
    @discardableResult
    public func make(
        _ entityName: String, _ values: [String: Any?] = [:], in context: NSManagedObjectContext? = nil
    ) throws -> NSManagedObject {
        guard let entity = model.entitiesByName[entityName], !entity.isAbstract else {
            let names = model.entities.filter { !$0.isAbstract }.compactMap(\.name).sorted().joined(separator: ", ")
            throw TestingError(
                .unknownName, "The model has no entity '\(entityName)' that has objects of its own; it has \(names).")
        }
        if let key = values.keys.sorted().first(where: { entity.propertiesByName[$0] == nil }) {
            let names = entity.propertiesByName.keys.sorted().joined(separator: ", ")
            throw TestingError(.unknownName, "\(entityName) has no property '\(key)'; it has \(names).")
        }
        let context = context ?? self.context
        return try build(in: context) { builder in
            let object = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
            builder.note(object)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
    }

    private func build<T: NSManagedObject>(
        in context: NSManagedObjectContext, _ insert: (inout ObjectBuilder) throws -> T
    ) throws -> T {
        var builder = ObjectBuilder(context) { [self] in
            builtCount.withLock { count in
                count += 1
                return count
            }
        }
        do {
            let object = try insert(&builder)
            try builder.complete()
            return object
        } catch {
            builder.takeBack()
            throw error
        }
    }
}
