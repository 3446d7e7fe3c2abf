import CoreData

/// Saves and merges, and what they tell.
extension ContextRun {
    func save(_ one: Int) throws {
        let (context, reference) = (contexts[one], references[one])
        try readInParents(one)
        // What a parent makes of members of a record that it has changed and its own parent deleted is not told anywhere.
        guard
            reference.changed.allSatisfy({ reference.objects[$0]?.hasTagChanges != true || reference.isSound($0) })
                || reference.parent == nil
        else { return }
        let board = NoticeBoard(.NSManagedObjectContextDidSave, of: context)
        let expected = reference.save()
        var failure: NSError?
        do { try context.save() } catch { failure = error as NSError }
        switch expected {
        case .nothing:
            if let failure { throw Difference("a save of nothing by \(one) failed: \(failure)") }
            try compare(board, ReferenceNotice(), one)
        case .saved(let notice):
            if let failure { throw Difference("the save of \(one) failed: \(failure)") }
            try compare(board, notice, one)
        case .refused(let conflicts):
            guard let failure, failure.code == NSManagedObjectMergeError else {
                throw Difference(
                    "the save of \(one) should have been refused because of \(conflicts): \(failure as Any)")
            }
            try compare(failure, conflicts, one)
        }
    }

    /// What a child's save needs in its parents is read there before.
    private func readInParents(_ one: Int) throws {
        guard let parent = arrangement.parents[one] else { return }
        for number in references[one].changed where references[one].objects[number]?.life != .inserted {
            try renew(number, parent)
        }
    }

    private func compare(_ board: NoticeBoard, _ notice: ReferenceNotice, _ one: Int) throws {
        guard let notification = board.all.first, board.all.count == 1 else {
            throw Difference("the save of \(one) was told \(board.all.count) times")
        }
        let numbers = numbers(one)
        func set(_ key: String) -> Set<Int> {
            Set(board.objects(key).filter { !isLeftOut($0) }.map { numbers[ObjectIdentifier($0)] ?? -1 })
        }
        let told = ReferenceNotice(
            inserted: set(NSInsertedObjectsKey), updated: set(NSUpdatedObjectsKey), deleted: set(NSDeletedObjectsKey))
        guard told == notice else { throw Difference("the save of \(one) told \(told), not \(notice)") }
        if arrangement.parents[one] == nil {
            notices.append(Notice(sender: one, notification: notification, reference: notice))
        }
    }

    private func compare(_ failure: NSError, _ conflicts: [Int: Bool], _ one: Int) throws {
        let numbers = numbers(one)
        let told = (failure.userInfo["conflictList"] as? [NSMergeConflict] ?? []).map {
            (numbers[ObjectIdentifier($0.sourceObject)] ?? -1, $0.newVersionNumber == 0)
        }
        guard Dictionary(told, uniquingKeysWith: { first, _ in first }) == conflicts, told.count == conflicts.count
        else {
            throw Difference("the save of \(one) was refused for \(told), not \(conflicts)")
        }
    }

    /// Merges the saves not heard of yet in their order, or some old one, into a context without parent.
    func merge(_ one: Int, late: Int?) {
        guard arrangement.parents[one] == nil, !notices.isEmpty else { return }
        if let late { return merge(notices[max(0, notices.count - 1 - late % 5)], into: one) }
        for notice in notices[heard[one]...] { merge(notice, into: one) }
        heard[one] = notices.count
    }

    private func merge(_ notice: Notice, into one: Int) {
        guard notice.sender != one else { return }
        // Merging a save of its own coordinator gives what that knows, which need not be what others wrote since.
        let isOwn = contexts[one].persistentStoreCoordinator === contexts[notice.sender].persistentStoreCoordinator
        if arrangement == .coordinators, isOwn { return }
        contexts[one].mergeChanges(fromContextDidSave: notice.notification)
        references[one].merge(notice.reference)
    }
}
