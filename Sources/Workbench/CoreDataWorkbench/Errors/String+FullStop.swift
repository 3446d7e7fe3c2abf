extension String {
    /// A sentence as a part of a message, without its full stop.
    package var droppingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
