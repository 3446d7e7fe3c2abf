import CoreDataFoundation
import LockKit

/// The questions to presenters before an access, the wait for all answers, and the news that the access is over.
struct PresenterRound {
    private let answers = Answers()

    /// What presenters answered.
    private final class Answers: @unchecked Sendable {
        let condition = NSCondition()
        var open = 0
        var error: (any Error)?
        var reacquirers: [@Sendable () -> Void] = []

        func end(_ error: (any Error)? = nil, _ reacquirer: (@Sendable () -> Void)? = nil) {
            condition.withLock {
                open -= 1
                self.error = self.error ?? error
                if let reacquirer { reacquirers.append(reacquirer) }
                condition.broadcast()
            }
        }
    }

    /// Calls a handler's block once, however often the presenter does.
    private final class Once: @unchecked Sendable {
        private let isDone = Locked(false)

        func callAsFunction(_ call: () -> Void) {
            let isFirst = isDone.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            if isFirst { call() }
        }
    }

    /// Asks a presenter something that it may object to.
    func ask(
        _ presenter: any NSFilePresenter,
        _ question: @escaping @Sendable (any NSFilePresenter, @escaping @Sendable ((any Error)?) -> Void) -> Void
    ) {
        let (answers, once) = (answers, Once())
        answers.condition.withLock { answers.open += 1 }
        presenter.presentedItemOperationQueue.addOperation {
            question(presenter) { error in once { answers.end(error) } }
        }
    }

    /// Asks a presenter to stop using its item for a while.
    func relinquish(
        _ presenter: any NSFilePresenter,
        _ question:
            @escaping @Sendable (any NSFilePresenter, @escaping @Sendable ((@Sendable () -> Void)?) -> Void) -> Void
    ) {
        let (answers, once) = (answers, Once())
        answers.condition.withLock { answers.open += 1 }
        presenter.presentedItemOperationQueue.addOperation {
            question(presenter) { reacquirer in once { answers.end(nil, reacquirer) } }
        }
    }

    /// Waits for all answers.
    ///
    /// - Throws: The first objection; `userCancelled` once `isCancelled`.
    func wait(until isCancelled: () -> Bool) throws {
        try answers.condition.withLock {
            while answers.open > 0 {
                if isCancelled() { throw CocoaError(.userCancelled) }
                // `cancel` does not know of this round.
                _ = answers.condition.wait(until: Date(timeIntervalSinceNow: 0.1))
            }
            if let error = answers.error { throw error }
        }
    }

    /// The access is over: presenters may use their items.
    func reacquire() {
        let calls = answers.condition.withLock {
            defer { answers.reacquirers = [] }
            return answers.reacquirers
        }
        for call in calls { call() }
    }
}
