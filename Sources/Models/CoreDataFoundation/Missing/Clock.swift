/// The seconds since the first of January 2001, as Core Foundation counts them.
public typealias CFAbsoluteTime = Double
/// A length of time in seconds.
public typealias CFTimeInterval = Double

/// The present time, as the function of this name gives it on Apple's platforms.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }
