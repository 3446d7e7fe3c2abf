import CoreData
import Foundation

extension PHPhotoLibrary {
    /// The work of the change block that runs on this task or thread; change requests can be made only there.
    @TaskLocal static var current: ChangeWork?

    /// Changes the library by the change requests that a block makes: all of them, or none.
    ///
    /// Who reads while the block runs sees the state before it, and afterwards that after it, never a part of it.
    ///
    /// - Parameter changeBlock: Makes change requests and waits for nothing.
    /// - Throws: ``PhotoLibraryError`` with `accessDenied`, or `notFound` for what is not there any more; errors of the block; then nothing
    ///   is changed.
    public func performChanges(_ changeBlock: @Sendable @escaping () throws -> Void) async throws {
        try requireWriting()
        let change = try await writer.perform { try self.change(changeBlock) }
        if let change { notify(change) }
    }

    /// Changes the library as ``performChanges(_:)``, and blocks the thread until it is done. Not within a change block.
    ///
    /// - Throws: As ``performChanges(_:)``.
    public func performChangesAndWait(_ changeBlock: () throws -> Void) throws {
        precondition(Self.current == nil, "performChangesAndWait(_:) is called within a change block")
        try requireWriting()
        let change = try writer.performAndWait { try self.change(changeBlock) }
        if let change { notify(change) }
    }

    /// Runs a block and saves what it changed.
    func change(_ block: () throws -> Void) throws -> PHChange? {
        let work = ChangeWork(self, writer)
        do {
            writer.reset()
            try Self.$current.withValue(work) { try block() }
            if let error = work.failure { throw error }
            guard writer.hasChanges else { return nil }
            func identifiers(_ objects: Set<NSManagedObject>) -> Set<String> {
                Set(objects.compactMap { $0.value(forKey: "identifier") as? String })
            }
            let deletedAssets = work.deletedAssets
            let change = PHChange(
                insertedIdentifiers: identifiers(writer.insertedObjects),
                changedIdentifiers: identifiers(writer.updatedObjects).subtracting(deletedAssets),
                deletedIdentifiers: identifiers(writer.deletedObjects).union(deletedAssets))
            try writer.save()
            forgetReader()
            return change
        } catch let error as PhotoLibraryError {
            writer.rollback()
            throw error
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            writer.rollback()
            throw PhotoLibraryError(
                .unavailable, "the photo library cannot be changed: \(error.localizedDescription)",
                hint: "see that its store can be written and there is room")
        } catch {
            writer.rollback()
            throw error
        }
    }
}

/// What a change block does; used on the queue of the context of changes.
final class ChangeWork: @unchecked Sendable {
    let library: PHPhotoLibrary
    let context: NSManagedObjectContext
    /// Why a request could not be made; the whole block then fails.
    var failure: PhotoLibraryError?
    var deletedAssets: Set<String> = []

    init(_ library: PHPhotoLibrary, _ context: NSManagedObjectContext) {
        (self.library, self.context) = (library, context)
    }

    /// The work of the block that runs now; outside of one the program stops.
    static func required(_ what: String) -> ChangeWork {
        guard let work = PHPhotoLibrary.current else {
            preconditionFailure("\(what) is made outside of the block of performChanges(_:)")
        }
        return work
    }

    /// The object of an identifier; nil, with a failure of the block, if it is not there.
    func object(_ entity: String, _ identifier: String) -> NSManagedObject? {
        do {
            let found = try library.object(entity, identifier, in: context)
            let isGone = entity == PhotoModel.asset && found?.value(forKey: "isDeletedAsset") as? Bool == true
            if let found, !isGone { return found }
        } catch {
            failure = PhotoLibraryError(
                .unavailable, "the photo library cannot be read: \(error.localizedDescription)",
                hint: "see that its store is there and can be read")
            return nil
        }
        failure = PhotoLibraryError(
            .notFound, "there is no asset or album '\(identifier)' any more", hint: "fetch again before changing")
        return nil
    }
}
