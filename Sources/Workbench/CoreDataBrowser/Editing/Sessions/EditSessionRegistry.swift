import CoreData
import Synchronization

/// The sessions of all tabs, found by store and tab.
///
/// Invariants:
/// 1. A tab has at most one session for a store; it stays when the tab is reloaded.
/// 2. There are at most `limit` sessions; a new one replaces the least recently used one with nothing staged.
package final class EditSessionRegistry: Sendable {
    private struct Place: Hashable {
        let store: String
        let tab: String
    }

    private struct Entry {
        let session: EditSession
        var lastUse: Int
    }

    private struct State {
        var entries: [Place: Entry] = [:]
        var uses = 0
    }

    private let limit: Int
    private let journals: @Sendable (StoreFileIdentity, String, Bool) throws -> (any StagedJournal)?
    private let state = Mutex(State())

    /// - Parameter journals: Opens the journal of a store and a tab; if the last argument is true, the journal may take
    ///   over the lines that a tab of an ended program left. Nil if journals are not written.
    package init(
        limit: Int = 100,
        journals: @escaping @Sendable (StoreFileIdentity, String, Bool) throws -> (any StagedJournal)? = { _, _, _ in
            nil
        }
    ) {
        self.limit = limit
        self.journals = journals
    }

    /// The session of a tab. A new session first stages the steps in the tab's journal again; with `adopts`, a tab
    /// without a journal takes over the newest one that a tab of an ended program left.
    ///
    /// - Throws: `BrowserFailure` 409 where the store is only read, 503 where too many tabs have something staged or
    ///   the store is closed.
    package func session(
        of tab: String, in store: BrowsedStore, author: String, access: BrowserAccess, adopts: Bool = false
    )
        async throws -> EditSession
    {
        // A closed store lacks the objects of steps that are still in the journals, so these must not be replayed.
        if let failure = store.closingFailure { throw failure }
        let opened = store.opened
        try store.requireWriting()
        let place = Place(store: store.id, tab: tab)
        let (session, isNew) = try state.withLock { state in
            state.uses += 1
            if let known = state.entries[place], known.session.opened.store === opened.store {
                state.entries[place]?.lastUse = state.uses
                return (known.session, false)
            }
            try makeRoom(&state)
            let journal = try journals(StoreFileIdentity(opened.store), tab, adopts)
            let session = EditSession(opened, author: author, journal: journal)
            state.entries[place] = Entry(session: session, lastUse: state.uses)
            return (session, true)
        }
        if isNew { try await session.perform { try $0.replay(access) } }
        return session
    }

    /// The session of a tab, if it has one.
    package func known(_ tab: String?, in store: BrowsedStore) -> EditSession? {
        guard let tab else { return nil }
        return state.withLock { $0.entries[Place(store: store.id, tab: tab)]?.session }
    }

    private func makeRoom(_ state: inout State) throws {
        guard state.entries.count >= limit else { return }
        let free = state.entries.filter { !$0.value.session.isStaging }.min { $0.value.lastUse < $1.value.lastUse }
        guard let free else {
            throw BrowserFailure(
                503, code: "tooManyTabs", reason: "\(limit) tabs have something staged",
                hint: "save or discard in one of them")
        }
        state.entries[free.key] = nil
    }

    /// The tabs that have something staged in a store.
    package func staging(in store: BrowsedStore) -> [String] {
        state.withLock { state in
            state.entries.filter { $0.key.store == store.id && $0.value.session.isStaging }.map(\.key.tab).sorted()
        }
    }

    /// - Throws: `BrowserFailure` 409 where a tab has something staged in a store.
    func requireNothingStaged(in store: BrowsedStore) throws {
        let count = staging(in: store).count
        guard count == 0 else {
            throw BrowserFailure(
                409, code: "staged",
                reason: "\(count) \(count == 1 ? "tab has" : "tabs have") changes that are not saved",
                hint: "save or discard them first")
        }
    }

    /// Removes the sessions of a store that is being opened again.
    package func end(in store: BrowsedStore) {
        state.withLock { state in state.entries = state.entries.filter { $0.key.store != store.id } }
    }

    /// Refreshes the objects without staged changes in the sessions of a store, after something was saved elsewhere.
    package func refresh(_ store: BrowsedStore, besides saver: EditSession? = nil) async {
        let sessions = state.withLock { state in
            state.entries.filter { $0.key.store == store.id }.map(\.value.session)
        }
        for session in sessions {
            let isSaver = session === saver
            // An object with staged changes keeps the snapshot that it was changed from, so that its save finds
            // conflicts.
            try? await session.perform {
                if !isSaver { $0.refreshUnchanged() }
                // Saving an atomic store replaces its file, so that the store has another identity.
                try $0.journal?.note(StoreFileIdentity($0.opened.store))
            }
        }
    }
}

extension EditSession {
    /// Turns the objects without unsaved changes into faults, which are read again on access.
    func refreshUnchanged() {
        withoutUndo {
            for object in context.registeredObjects where !object.hasChanges && !object.isDeleted {
                context.refresh(object, mergeChanges: false)
            }
        }
    }
}
