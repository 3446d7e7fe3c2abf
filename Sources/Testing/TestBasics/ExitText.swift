import Testing

extension ExitTest.Result? {
    /// The standard error of an exit test's process; the test must list `standardErrorContent` in `observing`.
    ///
    /// If the body can fail in several ways, only the message shows that it failed in the expected way.
    package var standardErrorText: String {
        String(decoding: self?.standardErrorContent ?? [], as: UTF8.self)
    }
}
