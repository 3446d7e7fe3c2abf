import CSwiftRuntime
import CoreDataStore
import Synchronization

/// Finds the class of an entity's objects by the name that the model gives.
///
/// Swift finds a class by its module-qualified name only. The name is tried as it stands, then with each module that
/// `register(module:)` named, then with the main executable's module, as generated code and Xcode's models expect, then
/// with the modules that the build plugin made sources for; for a
/// name with a module that lacks the class, the rest is tried without the module, and then the last part in the same way.
/// Nested classes, which Swift finds by no name, are found where a module's generated sources declare them.
public enum ObjectClassResolver {
    private struct Known {
        var modules: [String] = []
        var classes: [String: NSManagedObject.Type] = [:]
        var reported: Set<String> = []
    }

    private static let known = Mutex(Known())

    /// Lets entities name classes of a module without the module; call it before the model is used.
    public static func register(module: String) {
        known.withLock { if !$0.modules.contains(module) { $0.modules.append(module) } }
        SearchedModules.add(module)
    }

    /// Lets entities name a class by any name, such as that of a nested class; call it before the model is used.
    public static func register(_ objectClass: NSManagedObject.Type, named name: String) {
        known.withLock { $0.classes[name] = objectClass }
    }

    /// Says nothing of the classes that a model names and the program does not have: a tool for other programs' stores has
    /// none of them, and their objects are plain there.
    package static func expectMissingClasses(of model: NSManagedObjectModel) {
        let names = model.entities.compactMap(\.managedObjectClassName)
        known.withLock { $0.reported.formUnion(names) }
    }

    /// The class of an entity's objects: `NSManagedObject` where the model names none, or, with a
    /// warning, where the named class is not in the program.
    static func objectClass(of entity: NSEntityDescription) -> NSManagedObject.Type {
        guard let name = className(of: entity) else { return NSManagedObject.self }
        let found = find(name)
        if let objectClass = found as? NSManagedObject.Type { return objectClass }
        let reason =
            found == nil
            ? "Class not found, using default NSManagedObject instead. If it is in the program, name its module with "
                + "ObjectClassResolver.register(module:)."
            : "It is not a subclass of NSManagedObject, using default NSManagedObject instead."
        report("Unable to load class named '\(name)' for entity '\(entity.name ?? "")'. \(reason)", once: name, entity)
        return NSManagedObject.self
    }

    /// The name of the class that the model gives for an entity and the program does not have; nil where all is well.
    static func missingClass(of entity: NSEntityDescription) -> String? {
        guard let name = className(of: entity) else { return nil }
        return find(name) is NSManagedObject.Type ? nil : name
    }

    /// The class that the model names; nil for none and for objects of migrations, which are plain.
    private static func className(of entity: NSEntityDescription) -> String? {
        guard let name = entity.managedObjectClassName, !name.isEmpty, name != "NSManagedObject",
            entity.managedObjectModel?.servesMigration != true
        else { return nil }
        return name
    }

    /// The type of a name, a managed object's class if there is one.
    private static func find(_ name: String) -> Any.Type? {
        if let registered = known.withLock({ $0.classes[name] }) { return registered }
        return type(named: name) { $0 is NSManagedObject.Type }
    }

    /// The type of a name, looked for as classes of objects are: one that is wanted if there is one, else any.
    package static func type(named name: String, isWanted: (Any.Type) -> Bool) -> Any.Type? {
        let modules = known.withLock { $0.modules }
        let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
        var candidates = plain.contains(".") ? [plain] : []
        let searched = modules + mainModules + notedModules
        candidates += searched.map { "\($0).\(plain)" }
        if let dot = plain.firstIndex(of: ".") { candidates.append(String(plain[plain.index(after: dot)...])) }
        if let dot = plain.lastIndex(of: ".") { candidates += searched.map { $0 + plain[dot...] } }
        let types = candidates.lazy.compactMap { _typeByName($0) ?? GeneratedModule.objectClass(qualified: $0) }
        return types.first(where: isWanted) ?? types.first
    }

    /// The module of the main executable, which is named like its file.
    private static var mainModules: [String] {
        guard let path = CommandLine.arguments.first, let name = path.split(separator: "/").last else { return [] }
        return [name.replacing("-", with: "_").description]
    }

    /// The modules whose sources the build plugin made, in the order of their names.
    private static var notedModules: [String] {
        var names: Set<String> = []
        var place: UnsafeRawPointer?
        var name: UnsafePointer<CChar>?
        while let next = coredata_noted_module(place, &name) {
            if let name { names.insert(String(cString: name)) }
            place = next
        }
        return names.sorted()
    }

    private static func report(_ warning: String, once name: String, _ entity: NSEntityDescription) {
        let isNew = known.withLock { $0.reported.insert(name).inserted }
        guard isNew else { return }
        CoreDataLogging.report(.warning, warning, metadata: [CoreDataLogging.MetadataKey.entity: entity.name ?? ""])
    }
}
