import Foundation

/// A stored player is read only if it is one that this type can have made.
extension MusicPlayer: Codable {
    private enum CodingKeys: String, CodingKey {
        case entries, order, index, state, repeatMode, shuffleMode, preferredRepeat, preferredShuffle, volume, position
        case changedAt, held, before
    }

    /// Reads a player.
    ///
    /// - Throws: `DecodingError` for values that contradict each other.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        entries = try values.decode([MusicPlayerEntry].self, forKey: .entries)
        order = try values.decode([Int].self, forKey: .order)
        index = try values.decode(Int.self, forKey: .index)
        state = try values.decode(MPMusicPlaybackState.self, forKey: .state)
        repeatMode = try values.decode(MPMusicRepeatMode.self, forKey: .repeatMode)
        shuffleMode = try values.decode(MPMusicShuffleMode.self, forKey: .shuffleMode)
        preferredRepeat = try values.decode(MPMusicRepeatMode.self, forKey: .preferredRepeat)
        preferredShuffle = try values.decode(MPMusicShuffleMode.self, forKey: .preferredShuffle)
        volume = min(1, max(0, try values.decode(Double.self, forKey: .volume)))
        position = try values.decode(Double.self, forKey: .position)
        changedAt = try values.decode(Double.self, forKey: .changedAt)
        held = try values.decodeIfPresent(Held.self, forKey: .held)
        before = try values.decodeIfPresent(MPMusicPlaybackState.self, forKey: .before)
        let isWhole = order.count == entries.count && Set(order) == Set(entries.indices)
        guard isWhole, entries.isEmpty ? index == 0 && state == .stopped : order.indices.contains(index),
            entries.allSatisfy({ $0.duration >= 0 && $0.duration.isFinite }), position.isFinite, changedAt.isFinite
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .order, in: values,
                debugDescription: "The queue, its order and the current item contradict each other")
        }
        position = clamped(position)
    }

    /// Writes the player.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(entries, forKey: .entries)
        try values.encode(order, forKey: .order)
        try values.encode(index, forKey: .index)
        try values.encode(state, forKey: .state)
        try values.encode(repeatMode, forKey: .repeatMode)
        try values.encode(shuffleMode, forKey: .shuffleMode)
        try values.encode(preferredRepeat, forKey: .preferredRepeat)
        try values.encode(preferredShuffle, forKey: .preferredShuffle)
        try values.encode(volume, forKey: .volume)
        try values.encode(position, forKey: .position)
        try values.encode(changedAt, forKey: .changedAt)
        try values.encodeIfPresent(held, forKey: .held)
        try values.encodeIfPresent(before, forKey: .before)
    }
}
