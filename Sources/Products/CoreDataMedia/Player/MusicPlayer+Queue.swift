/// The queue, which can be read and edited while it is played.
extension MusicPlayer {
    /// Sets the queue: its first item becomes the current one, and the player stops if it is empty.
    ///
    /// - Parameters:
    ///   - entries: The items, with duplicates.
    ///   - now: When.
    ///   - generator: What decides the order of shuffling. The first item is then one of all.
    public mutating func setQueue(
        _ entries: [MusicPlayerEntry], at now: Double, using generator: inout some RandomNumberGenerator
    ) {
        advance(to: now)
        self.entries = entries
        (index, position, changedAt, held) = (0, 0, now, nil)
        order = shuffled(Array(entries.indices), using: &generator)
        if entries.isEmpty { halt() }
    }

    /// Adds items at the end of the queue; what plays goes on. Into a shuffled queue they come at random places after the current item.
    public mutating func append(_ more: [MusicPlayerEntry], using generator: inout some RandomNumberGenerator) {
        let places = Array(entries.count..<(entries.count + more.count))
        entries += more
        guard !order.isEmpty, shuffles == .songs else {
            order += shuffled(places, using: &generator)
            return
        }
        for place in places { order.insert(place, at: Int.random(in: (index + 1)...order.count, using: &generator)) }
    }

    /// Puts items after the current one; what plays goes on.
    public mutating func insertNext(_ more: [MusicPlayerEntry]) {
        let places = Array(entries.count..<(entries.count + more.count))
        entries += more
        order.insert(contentsOf: places, at: order.isEmpty ? 0 : index + 1)
    }

    /// Removes the item at a place of ``order``; if it is the current one, the next begins. Other numbers change nothing.
    public mutating func remove(_ place: Int, at now: Double) {
        advance(to: now)
        guard order.indices.contains(place) else { return }
        let entry = order.remove(at: place)
        entries.remove(at: entry)
        order = order.map { $0 > entry ? $0 - 1 : $0 }
        if place < index {
            index -= 1
        } else if place == index {
            (position, changedAt) = (0, now)
            if index >= order.count { if repeats == .all, !order.isEmpty { index = 0 } else { halt() } }
        }
    }

    /// Moves an item from one place of ``order`` to another; what plays goes on. Other numbers change nothing.
    public mutating func move(_ place: Int, to target: Int) {
        guard order.indices.contains(place), order.indices.contains(target), place != target else { return }
        let current = order[index]
        order.insert(order.remove(at: place), at: target)
        index = order.firstIndex(of: current) ?? 0
    }

    /// Sets what a duration is, once it is known.
    public mutating func setDuration(_ seconds: Double, of item: UInt64, at now: Double) {
        guard seconds.isFinite, seconds > 0 else { return }
        settle(now)
        for index in entries.indices where entries[index].item == item { entries[index].duration = seconds }
        position = clamped(position)
    }

    /// Sets the order in which items come; the current item goes on, and a shuffled queue begins with it.
    public mutating func setShuffle(_ mode: MPMusicShuffleMode, using generator: inout some RandomNumberGenerator) {
        let old = shuffles
        shuffleMode = mode
        guard shuffles != old, !order.isEmpty else { return }
        let current = order[index]
        if shuffles == .off {
            order = Array(entries.indices)
            index = current
            return
        }
        order = shuffled(Array(entries.indices), using: &generator)
        if shuffles == .songs {
            order.swapAt(0, order.firstIndex(of: current) ?? 0)
            index = 0
        } else {
            // The album of the current item first, with its items in their order.
            let album = entries[current].album
            let first = Set(order.filter { album == 0 ? $0 == current : entries[$0].album == album })
            order = order.filter { first.contains($0) } + order.filter { !first.contains($0) }
            index = order.firstIndex(of: current) ?? 0
        }
    }

    /// Places in the order of shuffling: each order of items, or of albums, is equally likely.
    private func shuffled(_ places: [Int], using generator: inout some RandomNumberGenerator) -> [Int] {
        switch shuffles {
        case .default, .off: return places
        case .songs: return places.shuffled(using: &generator)
        case .albums:
            var albums: [[Int]] = []
            var known: [UInt64: Int] = [:]
            for place in places {
                let album = entries[place].album
                if album != 0, let group = known[album] {
                    albums[group].append(place)
                } else {
                    known[album] = albums.count
                    albums.append([place])
                }
            }
            return albums.shuffled(using: &generator).flatMap { $0 }
        }
    }
}
