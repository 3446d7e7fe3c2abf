/** The bytes of a blob in base 64, as JSON has them. @param {Blob} blob @returns {Promise<string>} */
export const base64 = (blob) => new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(blob);
});
