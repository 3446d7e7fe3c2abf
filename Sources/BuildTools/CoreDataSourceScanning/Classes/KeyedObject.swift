import CoreDataModelCompiler

extension KeyedObject {
    /// The classes of a module below `NSObject` with properties that its sources mark for Objective-C, superclasses first.
    ///
    /// Classes that other files cannot name, and classes that inherit from a class of another module, are left out.
    static func all(in module: ScannedModule, _ family: ClassFamily) -> [KeyedObject] {
        var keys: [String: [String]] = [:]
        var lines: [String: [String]] = [:]
        for (path, type, isReachable) in module.classes where isReachable {
            let entries = type.keyed.entries(all: family.showsMembers(path))
            let own = entries.compactMap { if case .property(let key) = $0 { key } else { nil } }
            guard !own.isEmpty, !family.isManaged(path), let line = family.plainLine(of: path) else { continue }
            keys[path, default: []] += own
            lines[path] = line
        }
        return lines.sorted { ($0.value.count, $0.key) < ($1.value.count, $1.key) }.map { path, line in
            KeyedObject(name: path, root: line.last { keys[$0] != nil } ?? path, keys: keys[path] ?? [])
        }
    }
}
