extension String {
    /// A sentence as a part of a message, without its full stop.
    var droppingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
