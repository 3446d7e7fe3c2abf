import CoreDataModelCompiler

/// The inheritance of a module's classes, as far as sources and models show it.
struct ClassFamily {
    private struct Member {
        let superclass: String?
        let hasManagedMembers: Bool
        /// The managed properties that are public or open.
        var publicKeys: [String] = []
        var showsMembers = false
        var isActors = false
        /// The superclass, and the protocols that the class and its extensions name.
        var inherited: Set<String> = []
    }

    /// The classes of the module by their paths.
    private var own: [String: Member] = [:]
    private var foreign: [String: Member] = [:]
    private let module: String

    init(module: ScannedModule, others: [ScannedModule], models: [ModelClass]) {
        self.module = module.name
        own = Self.members(of: module)
        for model in models where own[model.name] == nil {
            own[model.name] = Member(superclass: model.superclass, hasManagedMembers: true)
        }
        for other in others {
            for (path, member) in Self.members(of: other) {
                foreign[other.name + "." + path] = member
                foreign[path] = member
            }
        }
    }

    private static func members(of module: ScannedModule) -> [String: Member] {
        var members: [String: Member] = [:]
        var withAccessors: Set<String> = []
        var keys: [String: [String]] = [:]
        var inherited: [String: Set<String>] = [:]
        for (path, type, _) in module.classes {
            keys[path, default: []] += type.properties.filter { $0.access >= .public }.map(\.name)
            inherited[path, default: []].formUnion(type.inherited)
            if !type.properties.isEmpty || !type.methods.isEmpty { withAccessors.insert(path) }
        }
        for (path, type, _) in module.classes where type.kind == .class {
            members[path] = Member(
                superclass: type.inherited.first, hasManagedMembers: withAccessors.contains(path),
                publicKeys: keys[path] ?? [], showsMembers: type.showsMembers, isActors: type.isActors,
                inherited: inherited[path] ?? [])
        }
        return members
    }

    /// Whether a class inherits from `NSManagedObject` or has, or inherits from a class with, managed members.
    func isManaged(_ path: String) -> Bool {
        var visited: Set<String> = []
        var next: String? = path
        while let current = next, visited.insert(current).inserted {
            if Self.isRoot(current) { return true }
            guard let member = own[current] ?? foreign[current] else { return false }
            if member.hasManagedMembers { return true }
            next = own[current] == nil ? member.superclass : superclass(of: current)
        }
        return false
    }

    /// Whether Objective-C sees all members of a class because the class or a superclass is marked `@objcMembers`.
    func showsMembers(_ path: String) -> Bool { line(of: path).contains { $0.member.showsMembers } }

    /// The classes from one up to the direct subclass of `NSObject`; nil if the chain does not end at `NSObject` with a
    /// class of the module.
    ///
    /// Returns nil too if a class in the chain belongs to a global actor or conforms to `KeyValueCoding` or
    /// `MutableKeyValueCoding` itself.
    func plainLine(of path: String) -> [String]? {
        let line = line(of: path)
        guard let last = line.last, own[last.path] != nil, Self.isObject(superclass(of: last.path) ?? "") else {
            return nil
        }
        let isTaken = line.contains { $0.member.isActors || !$0.member.inherited.isDisjoint(with: Self.codings) }
        return isTaken ? nil : line.map(\.path)
    }

    private static let codings: Set = [
        "KeyValueCoding", "MutableKeyValueCoding", "CoreData.KeyValueCoding", "CoreData.MutableKeyValueCoding",
    ]

    private static func isObject(_ name: String) -> Bool { name == "NSObject" || name == "Foundation.NSObject" }

    /// A class and its superclasses, as far as sources or models declare them.
    private func line(of path: String) -> [(path: String, member: Member)] {
        var line: [(path: String, member: Member)] = []
        var visited: Set<String> = []
        var next: String? = path
        while let current = next, visited.insert(current).inserted, let member = own[current] ?? foreign[current] {
            line.append((current, member))
            next = own[current] == nil ? member.superclass : superclass(of: current)
        }
        return line
    }

    /// The public managed properties that a class of the module inherits from classes of other modules.
    func foreignKeys(of path: String) -> [String] {
        var keys: [String] = []
        var visited: Set<String> = []
        var next: String? = path
        while let current = next, visited.insert(current).inserted {
            if own[current] != nil {
                next = superclass(of: current)
            } else {
                keys += foreign[current]?.publicKeys.filter { !keys.contains($0) } ?? []
                next = foreign[current]?.superclass
            }
        }
        return keys
    }

    /// The superclass of a class of the module, as the module's sources write it from outside any type.
    func superclass(of path: String) -> String? {
        guard let written = own[path]?.superclass else { return nil }
        if Self.isRoot(written) { return ModelClass.root }
        let plain = written.hasPrefix(module + ".") ? String(written.dropFirst(module.count + 1)) : written
        // A name refers to the nearest declaration: inside the type itself, then inside the types around it.
        var scope = path.split(separator: ".").map(String.init)
        while true {
            let candidate = (scope + [plain]).joined(separator: ".")
            if own[candidate] != nil, candidate != path { return candidate }
            guard !scope.isEmpty else { return plain }
            scope.removeLast()
        }
    }

    private static func isRoot(_ name: String) -> Bool {
        name == ModelClass.root || name.hasSuffix("." + ModelClass.root)
    }
}
