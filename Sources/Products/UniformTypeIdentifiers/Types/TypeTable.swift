import Foundation

/// The types of the process: those of the module's own table, and those that the program has declared.
///
/// Invariants:
/// 1. `state` is read and changed only while `lock` is held.
/// 2. Keys of identifiers are in small letters; keys of tags are those of their class.
/// 3. A declaration never loses a tag to a later one: the type that was first preferred by a tag stays first.
final class TypeTable: @unchecked Sendable {
    static let shared = TypeTable()

    private struct State {
        var declarations: [String: TypeDeclaration] = [:]
        var identifiers: [UTTagClass: [String: [String]]] = [:]
    }

    private let lock = NSLock()
    private var state = State()

    private init() {
        for row in TypeRows.text.split(separator: "\n") where !row.hasPrefix("#") {
            if let declaration = TypeDeclaration(row: row) { Self.add(declaration, to: &state) }
        }
    }

    func declaration(_ identifier: String) -> TypeDeclaration? {
        lock.withLock { state.declarations[identifier.lowercased()] }
    }

    /// The types with a tag, by its key: those that prefer it before those that only have it.
    func identifiers(tag key: String, tagClass: UTTagClass) -> [String] {
        lock.withLock { state.identifiers[tagClass]?[key] ?? [] }
    }

    /// All identifiers of the module's own table and of the program, sorted.
    var all: [String] { lock.withLock { state.declarations.values.map(\.identifier).sorted() } }

    /// The declared type of an identifier; where there is none, one is declared without tags.
    func assure(_ identifier: String, conformingTo parent: UTType?) -> UTType {
        lock.withLock {
            if let known = state.declarations[identifier.lowercased()] { return UTType(known: known.identifier) }
            let parents = [parent?.identifier ?? "public.data"]
            Self.add(TypeDeclaration(identifier: identifier, parents: parents), to: &state)
            return UTType(known: identifier)
        }
    }

    /// Adds a declaration, or its tags and parents to the one that is there.
    func declare(_ declaration: TypeDeclaration) {
        lock.withLock {
            guard let known = state.declarations[declaration.identifier.lowercased()] else {
                return Self.add(declaration, to: &state)
            }
            func joined(_ first: [String], _ second: [String]) -> [String] {
                first + second.filter { !first.contains($0) }
            }
            let merged = TypeDeclaration(
                identifier: known.identifier, parents: joined(known.parents, declaration.parents),
                extensions: joined(known.extensions, declaration.extensions),
                mimeTypes: joined(known.mimeTypes, declaration.mimeTypes), title: known.title ?? declaration.title)
            Self.add(merged, to: &state)
        }
    }

    private static func add(_ declaration: TypeDeclaration, to state: inout State) {
        state.declarations[declaration.identifier.lowercased()] = declaration
        for (tagClass, tags) in declaration.tags {
            for (place, tag) in tags.enumerated() {
                let key = tagClass.key(of: tag)
                var list = state.identifiers[tagClass]?[key] ?? []
                guard !list.contains(declaration.identifier) else { continue }
                // One that prefers the tag goes before those that only have it, behind others that prefer it.
                let others = list.firstIndex { other in
                    let known = state.declarations[other.lowercased()]?.tags[tagClass]?.first
                    return known.map(tagClass.key) != key
                }
                list.insert(declaration.identifier, at: place == 0 ? others ?? list.count : list.count)
                state.identifiers[tagClass, default: [:]][key] = list
            }
        }
    }
}
