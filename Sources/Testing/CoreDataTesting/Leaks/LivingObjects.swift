import CoreData

/// What is still alive of a stack's contexts and objects.
public struct LivingObjects: Sendable, CustomStringConvertible {
    /// An object that is alive, and why that may be.
    public struct Object: Sendable {
        /// The entity.
        public let entity: String
        /// The object's URI, by which other reports name it too.
        public let uri: String
        /// The name of its context.
        public let context: String
        /// Whether its context retains it, since it has changes that are not saved.
        public let hasChanges: Bool
        /// The objects of the cycle of relationships that retains it, as `Hero.team`; empty if it is in none.
        public let cycle: [String]
    }

    /// The names of the contexts that are alive, besides `viewContext` and `test`.
    public internal(set) var contexts: [String] = []
    /// The objects that are alive, of all contexts.
    public internal(set) var objects: [Object] = []

    /// Whether nothing is alive.
    public var isEmpty: Bool { contexts.isEmpty && objects.isEmpty }

    /// A line for each context and object.
    public var description: String {
        var lines = contexts.map { "  context \($0)" }
        for object in objects.prefix(40) {
            let why =
                !object.cycle.isEmpty
                ? "in a cycle: \(object.cycle.joined(separator: " → ")); refresh(_:mergeChanges:) of one breaks it"
                : object.hasChanges ? "has unsaved changes: save, or reset the context" : "something retains it"
            lines.append("  \(object.entity) \(object.uri) of context \(object.context): \(why)")
        }
        if objects.count > 40 { lines.append("  and \(objects.count - 40) more") }
        return lines.joined(separator: "\n")
    }
}

extension TestStack {
    /// The contexts of the stack that are alive, besides its own two, and the objects of all.
    ///
    /// Contexts are known that the stack, its container, or `newChildContext()` made. Completes each context's event and
    /// reads it on its queue; fires no fault.
    public func livingObjects() -> LivingObjects {
        var living = LivingObjects()
        let known = (container as? TestContainer)?.contexts ?? []
        for (context, name) in known {
            if context !== self.context, context !== container.viewContext { living.contexts.append(name) }
            if context === container.viewContext, !Thread.isMainThread, context.registeredObjects.isEmpty { continue }
            living.objects +=
                context === self.context
                ? Self.objects(of: context, name)
                : context.performAndWait { Self.objects(of: context, name) }
        }
        return living
    }

    private static func objects(of context: NSManagedObjectContext, _ name: String) -> [LivingObjects.Object] {
        // Until the event is complete, the context retains what was refreshed in it.
        context.processPendingChanges()
        let cycles = RelationshipCycles(context.registeredObjects)
        return context.registeredObjects.map { object in
            LivingObjects.Object(
                entity: object.entity.name ?? "", uri: object.objectID.uriRepresentation().absoluteString,
                context: name, hasChanges: object.hasChanges, cycle: cycles.cycle(of: object))
        }.sorted { ($0.entity, $0.uri) < ($1.entity, $1.uri) }
    }

    /// Runs a block and reports a failure if contexts or objects that it made are alive afterwards: it names them, and
    /// what retains those in cycles.
    ///
    ///     try stack.expectNoLeaks {
    ///         let page = try HeroPage(stack.newContext())
    ///         page.show()
    ///     }
    ///
    /// - Throws: what the block throws; then nothing is reported.
    public func expectNoLeaks(
        fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ body: () throws -> Void
    ) rethrows {
        let contexts = Set(((container as? TestContainer)?.contexts ?? []).map { ObjectIdentifier($0.context) })
        let before = livingObjects()
        let known = Set(before.objects.map { "\($0.context) \($0.uri)" })
        try body()
        var after = livingObjects()
        after.objects.removeAll { known.contains("\($0.context) \($0.uri)") }
        after.contexts = ((container as? TestContainer)?.contexts ?? [])
            .filter { !contexts.contains(ObjectIdentifier($0.context)) }.map(\.name)
        guard !after.isEmpty else { return }
        FailurePlace(fileID: fileID, filePath: filePath, line: line, column: column).fail(
            "\(after.contexts.count) contexts and \(after.objects.count) objects are alive after the block:\n"
                + after.description)
    }
}
