/// What comes after the last item, as Apple's framework numbers it.
public enum MPMusicRepeatMode: Int, Sendable, Codable, CaseIterable {
    /// As the user has chosen: nothing, unless ``MusicPlayer`` has another preference.
    case `default`
    /// The player stops.
    case none
    /// The current item again.
    case one
    /// All items again.
    case all
}

/// In which order items come, as Apple's framework numbers it.
public enum MPMusicShuffleMode: Int, Sendable, Codable, CaseIterable {
    /// As the user has chosen: off, unless ``MusicPlayer`` has another preference.
    case `default`
    /// In the order of the queue.
    case off
    /// Each item at a random place.
    case songs
    /// Albums in random order, the items of each in the order of the queue.
    case albums
}

/// What a player does, as Apple's framework numbers it.
public enum MPMusicPlaybackState: Int, Sendable, Codable, CaseIterable {
    /// Nothing; the current item begins at its beginning when it is played.
    case stopped
    /// It plays.
    case playing
    /// It holds its place.
    case paused
    /// Something else plays at this time.
    case interrupted
    /// It runs forward faster than it plays.
    case seekingForward
    /// It runs backward.
    case seekingBackward
}

/// An item of a queue.
public struct MusicPlayerEntry: Sendable, Codable, Hashable {
    /// The persistent identifier of the item.
    public var item: UInt64
    /// In seconds; 0 while it is not known.
    public var duration: Double
    /// The persistent identifier of the album, for shuffling by albums; 0 for none.
    public var album: UInt64

    /// An entry.
    public init(item: UInt64, duration: Double, album: UInt64 = 0) {
        (self.item, self.duration, self.album) = (item, max(0, duration.isFinite ? duration : 0), album)
    }

    /// The entry of an item of a library.
    public init(_ item: MPMediaItem) {
        self.init(
            item: item.persistentID, duration: item.playbackDuration, album: item.values.identifier("albumPersistentID")
        )
    }
}
