import CoreData
import Foundation
import LockKit

/// A player of items of a library: a ``MusicPlayer`` with the clock of the system, notifications, and whatever makes the sound.
///
/// This module plays no sound itself: the handler of ``init(library:clock:changed:)`` has something else play it, such as the media elements of a page. It
/// is an application player, which ends with the process. Counts of items that were played or skipped are kept in the library. May be
/// used on any thread; notifications are posted on the thread that has made the change.
public final class MPMusicPlayerController: @unchecked Sendable {
    /// Posted when the player plays, stops, or does something else.
    public static let playbackStateDidChangeNotification = Notification.Name(
        "MPMusicPlayerControllerPlaybackStateDidChangeNotification")
    /// Posted when another item is the current one.
    public static let nowPlayingItemDidChangeNotification = Notification.Name(
        "MPMusicPlayerControllerNowPlayingItemDidChangeNotification")
    /// Posted when the volume has changed.
    public static let volumeDidChangeNotification = Notification.Name(
        "MPMusicPlayerControllerVolumeDidChangeNotification")

    private struct State {
        var player = MusicPlayer()
        var observers = 0
    }

    private let library: MPMediaLibrary
    private let clock: @Sendable () -> Double
    private let changed: @Sendable (MusicPlayer) -> Void
    private let state = Locked(State())
    private let timer: any DispatchSourceTimer

    /// A player with an empty queue.
    ///
    /// - Parameters:
    ///   - library: Where the items are.
    ///   - clock: Seconds of a clock that only goes forward.
    ///   - changed: Called after each change, on the thread that has made it.
    public init(
        library: MPMediaLibrary, clock: (@Sendable () -> Double)? = nil,
        changed: @escaping @Sendable (MusicPlayer) -> Void = { _ in }
    ) {
        self.library = library
        self.clock = clock ?? { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
        self.changed = changed
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "CoreDataMedia.MPMusicPlayerController"))
        timer.setEventHandler { [weak self] in self?.update() }
        timer.resume()
    }

    deinit { timer.cancel() }

    /// The player as it is now: its queue, the order, the current item. Storing it and setting it in another process goes on there.
    public var player: MusicPlayer {
        get {
            update()
            return state.withLock { $0.player }
        }
        set {
            change { player, now in
                player = newValue
                player.resume(at: now)
            }
        }
    }

    /// Lets the time pass that has passed: what a timer does by itself at the end of each item.
    public func update() { change { $0.advance(to: $1) } }

    /// Makes a change at the time of the clock, and says what is different.
    private func change(_ block: (inout MusicPlayer, Double) -> Void) {
        let now = clock()
        let (before, after, ended, isHeard) = state.withLock { state in
            let before = state.player
            let ended = state.player.advance(to: now)
            block(&state.player, now)
            return (before, state.player, ended, state.observers > 0)
        }
        for item in ended { note(item, isSkipped: false) }
        schedule(after, now)
        guard before != after else { return }
        let isMoved = before.current?.item != after.current?.item || before.index != after.index
        if isHeard {
            let center = NotificationCenter.default
            if before.state != after.state { center.post(name: Self.playbackStateDidChangeNotification, object: self) }
            if isMoved { center.post(name: Self.nowPlayingItemDidChangeNotification, object: self) }
            if before.volume != after.volume { center.post(name: Self.volumeDidChangeNotification, object: self) }
        }
        changed(after)
    }

    private func schedule(_ player: MusicPlayer, _ now: Double) {
        guard let end = player.end(at: now) else { return timer.schedule(deadline: .distantFuture) }
        timer.schedule(deadline: .now() + min(max(0.01, end - now + 0.005), 86_400))
    }

    private func note(_ item: UInt64, isSkipped: Bool) {
        // An item that is not in the library any more has no count.
        guard let found = try? library.items(withPersistentIDs: [item]).first else { return }
        try? library.notePlayed(found, isSkipped: isSkipped)
    }

    // MARK: - The queue

    /// Sets the queue: the first item becomes the current one.
    public func setQueue(with collection: MPMediaItemCollection) { setQueue(collection.items) }

    /// Sets the queue to the items of a query.
    ///
    /// - Throws: As ``MPMediaQuery/items()``.
    public func setQueue(with query: MPMediaQuery) throws { setQueue(try query.items()) }

    private func setQueue(_ items: [MPMediaItem]) {
        let entries = items.map(MusicPlayerEntry.init)
        var generator = SystemRandomNumberGenerator()
        change { $0.setQueue(entries, at: $1, using: &generator) }
    }

    /// Adds items at the end; what plays goes on.
    public func append(_ collection: MPMediaItemCollection) {
        let entries = collection.items.map(MusicPlayerEntry.init)
        var generator = SystemRandomNumberGenerator()
        change { player, _ in player.append(entries, using: &generator) }
    }

    /// Edits the queue or anything else of the player, at the time of its clock.
    public func edit(_ block: (inout MusicPlayer, Double) -> Void) { change(block) }

    // MARK: - State

    /// The current item; nil if the queue is empty, or the item is not in the library any more.
    public var nowPlayingItem: MPMediaItem? {
        player.current.flatMap { try? library.items(withPersistentIDs: [$0.item]).first }
    }
    /// The place of the current item in the order of the queue; nil if the queue is empty.
    public var indexOfNowPlayingItem: Int? { state.withLock { $0.player.current == nil ? nil : $0.player.index } }
    /// What the player does.
    public var playbackState: MPMusicPlaybackState { player.state }
    /// Seconds of the current item that are over; setting it seeks.
    public var currentPlaybackTime: TimeInterval {
        get {
            let now = clock()
            return player.position(at: now)
        }
        set { change { $0.seek(to: newValue, at: $1) } }
    }
    /// What comes after the last item.
    public var repeatMode: MPMusicRepeatMode {
        get { state.withLock { $0.player.repeatMode } }
        set { change { player, _ in player.repeatMode = newValue } }
    }
    /// In which order items come.
    public var shuffleMode: MPMusicShuffleMode {
        get { state.withLock { $0.player.shuffleMode } }
        set {
            var generator = SystemRandomNumberGenerator()
            change { player, _ in player.setShuffle(newValue, using: &generator) }
        }
    }
    /// From 0 to 1; other values are the nearest of these.
    public var volume: Double {
        get { state.withLock { $0.player.volume } }
        set { change { player, _ in player.volume = newValue } }
    }

    // MARK: - Commands

    /// Plays.
    public func play() { change { $0.play(at: $1) } }
    /// Holds the place.
    public func pause() { change { $0.pause(at: $1) } }
    /// Ends.
    public func stop() { change { $0.stop(at: $1) } }
    /// Begins the current item again.
    public func skipToBeginning() { change { $0.skipToBeginning(at: $1) } }
    /// Goes to the next item; past the last one the player stops. The item is counted as skipped.
    public func skipToNextItem() {
        let item = state.withLock { $0.player.state == .playing ? $0.player.current?.item : nil }
        change { $0.skipToNextItem(at: $1) }
        if let item { note(item, isSkipped: true) }
    }
    /// Goes to the item before; before the first one the player stops.
    public func skipToPreviousItem() { change { $0.skipToPreviousItem(at: $1) } }
    /// Runs forward until ``endSeeking()``.
    public func beginSeekingForward() { change { $0.beginSeekingForward(at: $1) } }
    /// Runs backward until ``endSeeking()``.
    public func beginSeekingBackward() { change { $0.beginSeekingBackward(at: $1) } }
    /// Ends seeking.
    public func endSeeking() { change { $0.endSeeking(at: $1) } }

    /// Has notifications posted until the same number of calls of ``endGeneratingPlaybackNotifications()``.
    public func beginGeneratingPlaybackNotifications() { state.withLock { $0.observers += 1 } }
    /// Ends what one call of ``beginGeneratingPlaybackNotifications()`` began.
    public func endGeneratingPlaybackNotifications() { state.withLock { $0.observers = max(0, $0.observers - 1) } }
}
