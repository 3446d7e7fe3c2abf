/// Where speech is heard. A synthesizer calls it on one queue.
public protocol SpeechSink: AnyObject, Sendable {
    /// Plays a sound from a second on, and returns at once.
    func play(_ sound: SpokenSound, from second: Double)
    /// Ends the playing.
    func stop()
}

/// The time by which a synthesizer reports words.
public protocol SpeechClock: Sendable {
    /// Seconds since some moment; they do not go backwards.
    var now: Double { get }
    /// Calls a block after some seconds, on any queue.
    func call(after seconds: Double, _ block: @escaping @Sendable () -> Void)
}
