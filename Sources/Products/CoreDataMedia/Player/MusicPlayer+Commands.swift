/// What a person does with a player.
extension MusicPlayer {
    /// Plays, from the position; of an empty queue nothing.
    public mutating func play(at now: Double) {
        advance(to: now)
        guard !order.isEmpty else { return }
        settle(now)
        if state != .playing { (state, held, before) = (.playing, nil, nil) }
        // A position at the end would end the item at once.
        if let current, current.duration > 0, position >= current.duration { position = 0 }
    }

    /// Holds the place.
    public mutating func pause(at now: Double) {
        advance(to: now)
        guard state != .stopped else { return }
        settle(now)
        (state, held, before) = (.paused, nil, nil)
    }

    /// Ends, and goes to the beginning of the current item.
    public mutating func stop(at now: Double) {
        advance(to: now)
        settle(now)
        (state, position, held, before) = (.stopped, 0, nil, nil)
    }

    /// Begins the current item again.
    public mutating func skipToBeginning(at now: Double) {
        advance(to: now)
        (position, changedAt) = (0, now)
    }

    /// Goes to the next item; after the last one the player stops, unless all are repeated.
    public mutating func skipToNextItem(at now: Double) {
        advance(to: now)
        guard !order.isEmpty else { return }
        (position, changedAt) = (0, now)
        if index + 1 < order.count {
            index += 1
        } else if repeats == .all {
            index = 0
        } else {
            halt()
        }
    }

    /// Goes to the item before; before the first one the player stops, unless all are repeated.
    public mutating func skipToPreviousItem(at now: Double) {
        advance(to: now)
        guard !order.isEmpty else { return }
        (position, changedAt) = (0, now)
        if index > 0 {
            index -= 1
        } else if repeats == .all {
            index = order.count - 1
        } else {
            halt()
        }
    }

    /// Sets the position, at most the duration and at least 0.
    public mutating func seek(to seconds: Double, at now: Double) {
        advance(to: now)
        (position, changedAt) = (clamped(seconds), now)
    }

    /// Makes an item of the queue the current one, by its place in ``order``; other numbers change nothing.
    public mutating func select(_ place: Int, at now: Double) {
        advance(to: now)
        guard order.indices.contains(place) else { return }
        (index, position, changedAt) = (place, 0, now)
    }

    // MARK: - Seeking

    /// Runs forward from now.
    public mutating func beginSeekingForward(at now: Double) { beginSeeking(.seekingForward, at: now) }

    /// Runs backward from now, as far as the beginning of the item.
    public mutating func beginSeekingBackward(at now: Double) { beginSeeking(.seekingBackward, at: now) }

    private mutating func beginSeeking(_ direction: MPMusicPlaybackState, at now: Double) {
        guard !order.isEmpty else { return }
        advance(to: now)
        settle(now)
        if state != .seekingForward, state != .seekingBackward { before = state }
        state = direction
    }

    /// Ends seeking, and goes on with what the player did before.
    public mutating func endSeeking(at now: Double) {
        advance(to: now)
        held = nil
        guard state == .seekingForward || state == .seekingBackward else { return }
        settle(now)
        // A player that was stopped holds the place that was found.
        state = before == .playing ? .playing : .paused
        before = nil
    }

    /// A skip button is pressed: it seeks once it was held for ``holdTime``.
    public mutating func press(forward: Bool, at now: Double) {
        advance(to: now)
        held = Held(since: now, isForward: forward)
    }

    /// The skip button is released: if it was held for less than ``holdTime``, it skips.
    public mutating func release(at now: Double) {
        guard let held else { return }
        guard now - held.since < Self.holdTime else { return endSeeking(at: now) }
        self.held = nil
        if held.isForward { skipToNextItem(at: now) } else { skipToPreviousItem(at: now) }
    }

    /// Begins to seek at the time at which a button was held for long enough.
    mutating func beginHeldSeek(_ now: Double) {
        guard let pressed = held, state != .seekingForward, state != .seekingBackward else { return }
        let start = pressed.since + Self.holdTime
        guard now >= start else { return }
        held = nil
        beginSeeking(pressed.isForward ? .seekingForward : .seekingBackward, at: start)
        if !order.isEmpty { held = pressed }
    }

    // MARK: - Interruptions

    /// Something else plays: a player that plays is silent until ``endInterruption(shouldResume:at:)``.
    public mutating func interrupt(at now: Double) {
        advance(to: now)
        guard state != .stopped, state != .paused, state != .interrupted else { return }
        settle(now)
        before = state == .playing ? .playing : .paused
        (state, held) = (.interrupted, nil)
    }

    /// The interruption is over.
    public mutating func endInterruption(shouldResume: Bool, at now: Double) {
        guard state == .interrupted else { return }
        state = shouldResume && before == .playing ? .playing : .paused
        (before, changedAt) = (nil, now)
    }
}
