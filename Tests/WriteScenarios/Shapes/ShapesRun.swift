import CoreData
import StoreContract

/// Carries out the steps of a sequence on a store and on the reference, and compares the two.
package final class ShapesRun {
    /// When the two are compared.
    package enum Checking: Sendable {
        /// After every step in the context, which has then read everything; after every save from a new one.
        case everyStep
        /// After every save from a new context only: most relationships are changed without having been read.
        case everySave
    }

    package let stack: Stack
    private let checking: Checking
    private var context: NSManagedObjectContext
    package private(set) var reference: Reference
    private var saved: Reference

    package init(_ model: NSManagedObjectModel, _ stack: Stack, _ checking: Checking) {
        self.stack = stack
        self.checking = checking
        reference = Reference(model)
        saved = reference
        context = stack.context
        context.dataErrorHandler = { _, _ in }
    }

    /// Takes the steps and saves; gives what differed first, or nothing.
    package func differences(_ steps: [ShapesStep]) throws -> [String] {
        for step in steps {
            try take(step, in: context)
            let found = try differences(after: step)
            guard found.isEmpty else { return found }
        }
        try context.save()
        return try Self.differences(stack.newContext(), reference)
    }

    private func differences(after step: ShapesStep) throws -> [String] {
        if checking == .everyStep {
            let found = try Self.differences(context, reference)
            guard found.isEmpty else { return found }
        }
        guard case .save = step else { return [] }
        return try Self.differences(stack.newContext(), reference)
    }

    private static func differences(_ context: NSManagedObjectContext, _ reference: Reference) throws -> [String] {
        context.dataErrorHandler = { _, _ in }
        return differences(try ShapesReader.lines(context), reference.lines)
    }

    /// The lines that only one of the two has.
    package static func differences(_ read: [String], _ expected: [String]) -> [String] {
        guard read != expected else { return [] }
        let (known, wanted) = (Set(read), Set(expected))
        return read.filter { !wanted.contains($0) }.map { "read: \($0)" }
            + expected.filter { !known.contains($0) }.map { "expected: \($0)" } + ["the lines differ"]
    }

    // MARK: Steps

    private func take(_ step: ShapesStep, in context: NSManagedObjectContext) throws {
        if case .elsewhere(let steps) = step { return try goElsewhere(steps) }
        try perform(step, in: context)
        reference.take(step, saved: &saved)
    }

    private func goElsewhere(_ steps: [ShapesStep]) throws {
        try context.save()
        let other = stack.newContext()
        other.dataErrorHandler = { _, _ in }
        for step in steps { try take(step, in: other) }
        try other.save()
        saved = reference
        context.refreshAllObjects()
    }

    private func perform(_ step: ShapesStep, in context: NSManagedObjectContext) throws {
        switch step {
        case .insert(let number, let entity): context.insert(entity, ["number": number])
        case .set(let number, let name, let seed):
            guard let object = try object(number, context), let attribute = object.entity.attributesByName[name]
            else { return }
            object.setValue(ShapesValue.value(seed, attribute), forKey: name)
        case .relate(let number, let name, let targets): try relate(number, name, targets, context)
        case .delete(let number):
            guard !reference.isDenied(number), let object = try object(number, context) else { return }
            context.delete(object)
            context.processPendingChanges()
        case .deleteDenied(let number): try deleteInVain(number, context)
        case .save: try context.save()
        case .rollback: context.rollback()
        case .reset: context.reset()
        case .refreshAll: context.refreshAllObjects()
        case .refault:
            for object in context.registeredObjects where !object.hasChanges {
                context.refresh(object, mergeChanges: false)
            }
        case .refresh(let number):
            if let object = try object(number, context) { context.refresh(object, mergeChanges: true) }
        case .obtainPermanentIDs: try context.obtainPermanentIDs(for: Array(context.insertedObjects))
        case .elsewhere: return
        }
    }

    /// Expects the save to fail for the rule alone, and to leave nothing behind.
    private func deleteInVain(_ number: Int, _ context: NSManagedObjectContext) throws {
        guard reference.isDenied(number), let object = try object(number, context) else { return }
        try context.save()
        context.delete(object)
        do {
            try context.save()
            throw Unexpected.deletionPassed(number)
        } catch let error as NSError where error.code == NSValidationRelationshipDeniedDeleteError {
            context.rollback()
        }
    }

    private enum Unexpected: Error { case deletionPassed(Int) }

    private func relate(
        _ number: Int, _ name: String, _ targets: [Int], _ context: NSManagedObjectContext
    ) throws {
        guard let object = try object(number, context), let relationship = object.entity.relationshipsByName[name]
        else { return }
        let targets = try targets.compactMap { try self.object($0, context) }
        if !relationship.isToMany {
            object.setValue(targets.first, forKey: name)
        } else if relationship.isOrdered {
            object.setValue(NSOrderedSet(array: targets), forKey: name)
        } else {
            object.setValue(NSSet(array: targets), forKey: name)
        }
    }

    private func object(_ number: Int, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
        guard let root = reference.entity(number)?.rootName else { return nil }
        return try context.all(root, NSPredicate(format: "number == %@", number)).first
    }
}

extension NSEntityDescription {
    /// The name of the entity that has none above it.
    fileprivate var rootName: String? { superentity?.rootName ?? name }
}
