import CSwiftRuntime
import CoreDataStore
import Synchronization

/// Finds the managed object class of an entity by the class name in the model.
///
/// Swift can look up a class only by its module-qualified name. The resolver tries the name as it is, then with each
/// module registered with `register(module:)`, then with the main executable's module, as generated code and Xcode's
/// models expect, then with the modules that the build plugin generated sources for. If a name contains a module that
/// lacks the class, it then tries the rest of the name without the module, and then the last component with each of
/// those modules. Nested classes, which Swift cannot look up, are found in the declarations of the modules' generated
/// sources.
public enum ObjectClassResolver {
    private struct Known {
        var modules: [String] = []
        var classes: [String: NSManagedObject.Type] = [:]
        var reported: Set<String> = []
    }

    private static let known = Mutex(Known())

    /// Makes classes of a module available to entities without the module's name; call it before the model is used.
    public static func register(module: String) {
        known.withLock { if !$0.modules.contains(module) { $0.modules.append(module) } }
        SearchedModules.add(module)
    }

    /// Makes a class, such as a nested one, available to entities under any name; call it before the model is used.
    public static func register(_ objectClass: NSManagedObject.Type, named name: String) {
        known.withLock { $0.classes[name] = objectClass }
    }

    /// Suppresses the warnings about classes that a model names and the program lacks. A tool that opens other
    /// programs' stores has none of these classes, and uses `NSManagedObject`.
    package static func expectMissingClasses(of model: NSManagedObjectModel) {
        let names = model.entities.compactMap(\.managedObjectClassName)
        known.withLock { $0.reported.formUnion(names) }
    }

    /// Returns the managed object class of an entity: `NSManagedObject` if the model names no class, or, with a
    /// warning, if the program lacks the named class.
    static func objectClass(of entity: NSEntityDescription) -> NSManagedObject.Type {
        if let objectType = entity.objectType as? NSManagedObject.Type,
            entity.managedObjectModel?.servesMigration != true
        {
            return objectType
        }
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

    /// Returns the class name in the model if the program has no such managed object class; nil otherwise.
    static func missingClass(of entity: NSEntityDescription) -> String? {
        guard let name = className(of: entity) else { return nil }
        return find(name) is NSManagedObject.Type ? nil : name
    }

    /// The class name in the model; nil if there is none, and for the models of migrations, whose objects are plain.
    private static func className(of entity: NSEntityDescription) -> String? {
        guard let name = entity.managedObjectClassName, !name.isEmpty, name != "NSManagedObject",
            entity.managedObjectModel?.servesMigration != true
        else { return nil }
        return name
    }

    /// Returns the type with a name, preferably a managed object class.
    private static func find(_ name: String) -> Any.Type? {
        if let registered = known.withLock({ $0.classes[name] }) { return registered }
        return type(named: name) { $0 is NSManagedObject.Type }
    }

    /// Returns the type with a name, searched in the same way as managed object classes: the first candidate that
    /// `isWanted` accepts, otherwise the first one.
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

    /// The module of the main executable, derived from the name of its file.
    private static var mainModules: [String] {
        guard let path = CommandLine.arguments.first, let name = path.split(separator: "/").last else { return [] }
        return [name.replacing("-", with: "_").description]
    }

    /// The modules that the build plugin generated sources for, sorted by name.
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
