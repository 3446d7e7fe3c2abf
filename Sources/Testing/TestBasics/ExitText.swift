import Testing

extension ExitTest.Result? {
    /// What the process of an exit test wrote to standard error, which the test has to observe.
    ///
    /// An exit test whose body can fail in another way than the one meant proves something by its message only.
    package var standardErrorText: String {
        String(decoding: self?.standardErrorContent ?? [], as: UTF8.self)
    }
}
